import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';

// Runs the challenge program of YouTube ("BotGuard") in a process without network, files and child processes. It is started by
// botguard.ts, which exchanges one JSON object per line with it.

/** What the process is asked to do. */
export type BotguardCommand =
  | { load: { interpreter: string; program: string; globalName: string } }
  | { integrityToken: string }
  | { mint: string };

/** A result, or the reason of a failure. */
export interface BotguardReply {
  result?: string;
  failure?: string;
}

// A snapshot that takes longer is ended by the parent process.
const snapshotMs = 60_000;

/** Loads what is needed from disk, then gives up all access and removes what could be used to get around it. */
async function loadBrowser(userAgent: string) {
  const [{ Window }, { BotGuardClient }, { WebPoMinter }] = await Promise.all([
    import('happy-dom'),
    import('bgutils-js/botguard'),
    import('bgutils-js/webpo'),
  ]);
  const window = new Window({ url: 'https://www.youtube.com/', settings: { navigator: { userAgent } } });
  const { permission } = process as unknown as { permission?: { drop(scope: string): void } };
  if (!permission) throw new Error('started without --permission');
  permission.drop('fs.read');
  // The permission model covers neither node:sqlite nor process.kill().
  registerHooks({
    resolve() {
      throw new Error('Modules cannot be loaded here.');
    },
  });
  Reflect.deleteProperty(globalThis, 'process');
  Object.assign(globalThis, { window, document: window.document, location: window.location, origin: window.location.origin });
  // happy-dom says that it is automated.
  const likeBrowsers = { webdriver: false, platform: 'Win32', vendor: 'Google Inc.' };
  for (const [name, value] of Object.entries(likeBrowsers)) Object.defineProperty(window.navigator, name, { value });
  Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true });
  globalThis.console = window.console as unknown as Console;
  return { BotGuardClient, WebPoMinter };
}

async function serve() {
  const { stdin, stdout } = process;
  const exit = process.exit.bind(process);
  const { BotGuardClient, WebPoMinter } = await loadBrowser(process.argv[2] ?? '');
  const { parse, stringify } = JSON;
  const signals: unknown[] = [];
  let minter: Awaited<ReturnType<typeof WebPoMinter.create>> | undefined;

  async function perform(command: BotguardCommand): Promise<string> {
    if ('load' in command) {
      const { interpreter, program, globalName } = command.load;
      // oxlint-disable-next-line no-new-func -- the purpose of this process
      new Function(interpreter)();
      const client = await BotGuardClient.create({ program, globalName, globalObject: globalThis as never });
      return client.snapshot({ webPoSignalOutput: signals as never }, snapshotMs);
    }
    if ('integrityToken' in command) {
      minter = await WebPoMinter.create({ integrityToken: command.integrityToken }, signals as never);
      return '';
    }
    if (!minter) throw new Error('no minter');
    return minter.mintAsWebsafeString(command.mint);
  }

  const reply = (line: BotguardReply) => void stdout.write(`${stringify(line)}\n`);
  reply({ result: 'ready' });
  let previous = Promise.resolve();
  createInterface({ input: stdin }).on('line', (line) => {
    previous = previous.then(async () => {
      try {
        reply({ result: await perform(parse(line) as BotguardCommand) });
      } catch (error) {
        reply({ failure: error instanceof Error ? error.message : 'unknown' });
      }
    });
  });
  // The parent process has ended.
  stdin.once('end', () => exit());
}

await serve();
