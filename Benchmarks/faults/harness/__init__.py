"""Shared by the rows: clients with a journal, the service, PostgreSQL, a proxy, and the verdict."""
