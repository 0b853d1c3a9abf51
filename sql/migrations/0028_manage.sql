-- People act in the console with a key of the role manage; each act is signed with the name of the person who has the key.

alter table census.api_key drop constraint api_key_role_is_known;
alter table census.api_key add constraint api_key_role_is_known check (role in ('write', 'read', 'release', 'manage'));
alter table census.api_key add column holder text;
comment on column census.api_key.role is 'write: included in apps; read: console and reports; release: manifests; manage: acts in the console.';
comment on column census.api_key.holder is 'The person who has it, whose name signs the acts that are made with it; null: unknown.';
