import { readConfig } from '../platform/config/config.ts';

// Health check of a container: exits with 0 if the local server reports that it is healthy, otherwise with 1 and the response.
// Reads the server's configuration for the port and path.

const { host, port, basePath } = readConfig(process.env);
const isEverywhere = host === '0.0.0.0' || host === '::';
const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
try {
  const answer = await fetch(`http://${name}:${port}${basePath}/api/health/`, { signal: AbortSignal.timeout(4_000) });
  if (!answer.ok) throw new Error(`It answered ${answer.status}: ${await answer.text()}`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
