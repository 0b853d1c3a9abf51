"""What the rows share: clients with a journal, the service, PostgreSQL, a proxy, and the verdict."""
