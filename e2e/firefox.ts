import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aFolder } from './program.ts';
import type { OtherBrowser } from './other-browser.ts';
import { startSilentSound } from './silent-sound.ts';

const preferences = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'ui.prefersReducedMotion': 1,
};

interface Said {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: { level?: string; text?: string };
}

/** Starts Firefox without a window, and speaks to it in WebDriver BiDi, which it understands by itself. */
export async function startFirefox(): Promise<OtherBrowser> {
  const profile = await aFolder();
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile.path, 'user.js'), lines.join('\n'));
  // Without a sound device it gives up, within a blink, what has no picture.
  const sound = await startSilentSound(profile.path);
  const child = spawn(
    process.env['REELKEEP_TEST_FIREFOX']!,
    [
      '--headless',
      '--no-remote',
      '--profile',
      profile.path,
      '--remote-debugging-port',
      '0',
      '--width',
      '1280',
      '--height',
      '900',
    ],
    { env: { ...process.env, HOME: profile.path, PULSE_SERVER: sound.address }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(words)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`Firefox did not start:\n${words}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));

  const waiting = new Map<number, (said: Said) => void>();
  const complaints: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const said = JSON.parse(String(data)) as Said;
    if (said.id !== undefined) waiting.get(said.id)?.(said);
    else if (said.method === 'log.entryAdded' && said.params?.level === 'error') complaints.push(said.params.text ?? '');
  });
  let last = 0;
  async function tell<T>(method: string, params: object): Promise<T> {
    const id = ++last;
    const answer = new Promise<Said>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answer;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result as T;
  }

  await tell('session.new', { capabilities: {} });
  await tell('session.subscribe', { events: ['log.entryAdded'] });
  const watch = `() => addEventListener('securitypolicyviolation', (event) =>
    console.error('Content Security Policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;
  await tell('script.addPreloadScript', { functionDeclaration: watch });
  const { contexts } = await tell<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]!.context;
  return {
    complaints: async () => complaints,
    go: async (url) => void (await tell('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run<T>(expression: string) {
      const { result, exceptionDetails } = await tell<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
        'script.evaluate',
        {
          expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
          target: { context },
          awaitPromise: true,
          userActivation: false,
        },
      );
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value) as T;
    },
    act: async (actions) => void (await tell('input.performActions', { context, actions })),
    async close() {
      socket.close();
      child.kill('SIGKILL');
      await ended;
      await sound.close();
      await profile.remove();
    },
  };
}
