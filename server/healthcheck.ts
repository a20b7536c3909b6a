import { readConfig } from './config.ts';

// For the health check of a container: ends with 0 when the program on this machine answers that it is well, else with 1
// and what it said. Reads the same configuration, so that it knows the port and the path.

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
