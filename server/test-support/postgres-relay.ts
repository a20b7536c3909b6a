import { startRelay } from './relay.ts';

/** Forwards connections to a PostgreSQL server. */
export async function startPostgresRelay(postgresUrl: string) {
  const { hostname, port, searchParams } = new URL(postgresUrl);
  const host = hostname || searchParams.get('host') || '127.0.0.1';
  const relay = await startRelay(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port || 5432) },
  );
  const url = new URL(postgresUrl);
  url.host = `127.0.0.1:${relay.port}`;
  url.searchParams.delete('host');
  return { ...relay, url: url.href };
}
