import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempFolder } from './program.ts';
import type { OtherBrowser } from './other-browser.ts';
import { startSilentSound } from './silent-audio.ts';

const preferences = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'ui.prefersReducedMotion': 1,
};

interface BidiMessage {
  id?: number;
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: { level?: string; text?: string };
}

/** Starts headless Firefox and controls it by WebDriver BiDi. */
export async function startFirefox(): Promise<OtherBrowser> {
  const profile = await createTempFolder();
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile.path, 'user.js'), lines.join('\n'));
  // Without a sound device, Firefox stops playing audio-only media after a moment.
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
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`Firefox did not start:\n${output}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));

  const pending = new Map<number, (message: BidiMessage) => void>();
  const inconsistencies: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as BidiMessage;
    if (message.id !== undefined) pending.get(message.id)?.(message);
    else if (message.method === 'log.entryAdded' && message.params?.level === 'error') {
      const text = message.params.text ?? '';
      // A picture was still loading when its page was left.
      if (text !== 'Image corrupt or truncated.') inconsistencies.push(text);
    }
  });
  let last = 0;
  async function sendCommand<T>(method: string, params: object): Promise<T> {
    const id = ++last;
    const response = new Promise<BidiMessage>((resolve) => pending.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await response;
    pending.delete(id);
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result as T;
  }

  await sendCommand('session.new', { capabilities: {} });
  await sendCommand('session.subscribe', { events: ['log.entryAdded'] });
  const watch = `() => addEventListener('securitypolicyviolation', (event) =>
    console.error('Content Security Policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;
  await sendCommand('script.addPreloadScript', { functionDeclaration: watch });
  const { contexts } = await sendCommand<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]!.context;
  return {
    inconsistencies: async () => inconsistencies,
    go: async (url) => void (await sendCommand('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run<T>(expression: string) {
      const { result, exceptionDetails } = await sendCommand<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
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
    act: async (actions) => void (await sendCommand('input.performActions', { context, actions })),
    async close() {
      socket.close();
      child.kill('SIGKILL');
      await ended;
      await sound.close();
      await profile.remove();
    },
  };
}
