import { ConfigProblem } from './config-problem.ts';
import { readConfig } from './config.ts';
import { misspelled, ofOriginal } from './environment-words.ts';
import { giveBackMemory } from './give-back.ts';
import { buildApp } from './http/app.ts';
import { openLog } from './log.ts';
import { openArchive } from './open-archive.ts';
import { routes } from './rooms.ts';
import { tellSystemd } from './service/watchdog.ts';
import { forPeople } from './start-problems.ts';
import { makeFirstAccount } from './user/first-account.ts';
import { version } from './version.ts';

// A download that does not let go must not keep a person waiting; what it did is gone on with at the next start.
const longestStopMs = 4_500;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Ends the program with a sentence instead of a stack, when it is a person who can help. */
function giveUp(error: unknown): never {
  if (!(error instanceof ConfigProblem)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exit(error.exitCode);
}

async function start() {
  const startedAt = Math.floor(Date.now() / 1000);
  const config = readConfig(process.env);
  // Loaded where somebody looks: under a service manager it would only take memory.
  const pretty = process.stdout.isTTY && (await import('pino-pretty')).default;
  const log = openLog(config, pretty ? pretty({ ignore: 'pid,hostname', sync: true }) : undefined);
  for (const sentence of misspelled(process.env)) log.warn(sentence);
  for (const sentence of ofOriginal(process.env)) log.info(sentence);
  const tell = async (error: unknown) => Promise.reject(await forPeople(error, config));
  const { archive, begin, close, taken } = await openArchive(config, log).catch(tell);
  const first = await makeFirstAccount(archive).catch(tell);
  const app = await buildApp(archive, routes, { webFolder: new URL('../dist', import.meta.url).pathname, startedAt });

  // Before anybody can see that it runs: whoever then stops it at once is not met by the default, which is to die.
  let isStopping = false;
  let supervisor = { stop: () => {} };
  const end = (code: number) => {
    isStopping = true;
    supervisor.stop();
    setTimeout(() => process.exit(code), longestStopMs).unref();
    Promise.all([app.close(), close()]).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopped badly');
        process.exit(1);
      },
    );
  };
  const stop = (signal: string) => {
    if (isStopping) process.exit(130);
    say(`\n${signal}: stopping. What is being downloaded goes on at the next start.`);
    end(0);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const giveWay = () => {
    if (isStopping) return;
    const { message, exitCode } = taken.reason as ConfigProblem;
    process.stderr.write(`\n${message}\n`);
    end(exitCode);
  };
  if (taken.aborted) giveWay();
  else taken.addEventListener('abort', giveWay);

  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    await close();
    if (code === 'EADDRINUSE')
      throw new ConfigProblem(`Port ${config.port} is taken by another program. Choose another: REELKEEP_PORT=8080 npm start`);
    if (code === 'EACCES')
      throw new ConfigProblem(
        `Port ${config.port} may not be used by this account. Choose one above 1023: REELKEEP_PORT=8080 npm start`,
      );
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
      throw new ConfigProblem(
        `REELKEEP_HOST is ${config.host}, which is no address and no name that has one. 0.0.0.0 is every address of this machine.`,
      );
    if (code === 'EADDRNOTAVAIL') throw new ConfigProblem(`This machine has no address ${config.host} (REELKEEP_HOST).`);
    throw error;
  }
  if (isStopping) return;
  supervisor = tellSystemd(log);

  const { port } = app.server.address() as { port: number };
  say(`\nReelkeep ${version}  http://localhost:${port}${config.basePath}/`);
  if (first) say(`First login: ${first.name} / ${first.password ?? 'the password from REELKEEP_PASSWORD'}`);
  if (first?.password) say('It is shown only this once; at the first login you choose one of your own.');
  say('');

  await giveBackMemory();
  if (!isStopping) void begin();
}

if (process.argv.includes('--version')) say(version);
else start().catch(giveUp);
