import { ConfigError } from './platform/config/config-error.ts';
import { readConfig } from './platform/config/config.ts';
import { misspelledVariables, tubearchivistVariables, wideProxyWarnings } from './platform/config/env-warnings.ts';
import { createServer } from './platform/http/server/create-server.ts';
import { openLog } from './platform/observability/log.ts';
import { createApp } from './app/create-app.ts';
import { plainRoutes, routes, workerRoutes } from './app/registry.ts';
import { notifySystemd } from './app/systemd-watchdog.ts';
import { asUserError } from './app/startup-errors.ts';
import { createFirstAccount } from './features/user/first-account.ts';
import { version } from './platform/config/version.ts';

// A download that does not stop must not delay the exit. It continues at the next start.
const maxStopMs = 4_500;

/** Draws a box around lines, so that they stand out in the log. */
function drawBox(lines: string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const bar = '─'.repeat(width + 2);
  return ['', `┌${bar}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${bar}┘`, ''].join('\n');
}

const printLine = (text: string) => process.stdout.write(`${text}\n`);

/** Exits with the message of a configuration error, without a stack trace. Throws other errors. */
function exitWithError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exit(error.exitCode);
}

async function start() {
  const startedAt = Math.floor(Date.now() / 1000);
  const config = readConfig(process.env);
  // Loaded only for terminals, to save memory under a service manager.
  const pretty = process.stdout.isTTY && (await import('pino-pretty')).default;
  const log = openLog(
    config,
    pretty ? pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }) : undefined,
  );
  for (const warning of misspelledVariables(process.env)) log.warn(warning);
  for (const warning of tubearchivistVariables(process.env)) log.info(warning);
  for (const warning of wideProxyWarnings(config)) log.warn(warning);
  const rejectAsUserError = async (error: unknown) => Promise.reject(await asUserError(error, config));
  const { app, begin, close, taken } = await createApp(config, log).catch(rejectAsUserError);
  const isWorker = config.role === 'worker';
  const first = isWorker ? null : await createFirstAccount(app).catch(rejectAsUserError);
  const server = await createServer(app, isWorker ? workerRoutes : routes, {
    plainRoutes,
    startedAt,
    ...(!isWorker && { webFolder: new URL('../dist', import.meta.url).pathname }),
  });

  // Signal handlers are installed before the server listens, because the default action kills the process immediately.
  let isStopping = false;
  let supervisor = { stop: () => {} };
  const shutDown = (code: number) => {
    isStopping = true;
    supervisor.stop();
    setTimeout(() => process.exit(code), maxStopMs).unref();
    const answered = server.close();
    Promise.all([answered, close(answered)]).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  const stop = (signal: string) => {
    if (isStopping) process.exit(130);
    printLine(`\n${signal}: stopping. Running downloads continue at the next start.`);
    shutDown(0);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const stopForOtherProcess = () => {
    if (isStopping) return;
    const { message, exitCode } = taken.reason as ConfigError;
    process.stderr.write(`\n${message}\n`);
    shutDown(exitCode);
  };
  if (taken.aborted) stopForOtherProcess();
  else taken.addEventListener('abort', stopForOtherProcess);

  try {
    await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    await close();
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${config.port} is taken by another program. Choose another: REELKEEP_PORT=8080 npm start`);
    if (code === 'EACCES')
      throw new ConfigError(
        `This account has no permission to use port ${config.port}. Choose one above 1023: REELKEEP_PORT=8080 npm start`,
      );
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
      throw new ConfigError(
        `REELKEEP_HOST is ${config.host}, which is neither an address nor a resolvable name. Use 0.0.0.0 for all addresses of this machine.`,
      );
    if (code === 'EADDRNOTAVAIL') throw new ConfigError(`This machine has no address ${config.host} (REELKEEP_HOST).`);
    throw error;
  }
  if (isStopping) return;
  supervisor = notifySystemd(log);

  const { port } = server.server.address() as { port: number };
  const demoNote = process.env['REELKEEP_DEV_DEMO_NOTE'];
  printLine(
    drawBox([
      `Reelkeep ${version}  http://localhost:${port}${config.basePath}/`,
      // The demo knows the password of its account (test-site/run-demo.ts).
      ...(demoNote ? [demoNote] : []),
      ...(first && !demoNote
        ? [`First login: ${first.name} / ${first.password ?? 'the password you set in REELKEEP_PASSWORD'}`]
        : []),
      ...(first?.password ? ['The password is shown only once. You set a new one at the first login.'] : []),
    ]),
  );

  void begin();
}

if (process.argv.includes('--version')) printLine(version);
else start().catch(exitWithError);
