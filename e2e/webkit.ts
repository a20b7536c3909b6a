import { spawn } from 'node:child_process';
import { eventually } from './acquiring.ts';
import type { OtherBrowser } from './other-browser.ts';

/** Starts WebKitGTK on a screen that nobody sees, and speaks to it in plain WebDriver. */
export async function startWebkit(): Promise<OtherBrowser> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await new Promise<string>((resolve, reject) => {
    screen.stdout.once('data', (number) => resolve(`:${String(number).trim()}`));
    screen.once('exit', () => reject(new Error('Xvfb did not start.')));
  });
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const driver = spawn(process.env['REELKEEP_TEST_WEBKIT']!, [`--port=${port}`, '--host=127.0.0.1'], {
    // Where there is no graphics card, what it draws with then has crashed.
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => driver.once('exit', resolve));
  const complaints: string[] = [];

  async function tell<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  await eventually(() =>
    tell<{ ready: boolean }>('GET', '/status').then(
      () => true,
      () => false,
    ),
  );
  const { sessionId } = await tell<{ sessionId: string }>('POST', '/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  await tell('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 });
  // Nothing can be put into a page before its own: what it complains of is noted from when it has loaded.
  const listen = `window.complaints = [];
    addEventListener('error', ({ message }) => complaints.push(message));
    addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complaints.push('Content Security Policy: ' + violatedDirective + ' ' + blockedURI));`;
  const sync = <T>(script: string) => tell<T>('POST', `${session}/execute/sync`, { script, args: [] });
  const note = async () => void complaints.push(...(await sync<string[]>('return (window.complaints ?? []).splice(0)')));
  return {
    async complaints() {
      await note();
      return complaints;
    },
    async go(url) {
      await note();
      await tell('POST', `${session}/url`, { url });
      await sync(listen);
    },
    async run<T>(expression: string) {
      const script = `const done = arguments[0];
        (async () => done([await (${expression})]))().catch((error) => done([null, String(error)]))`;
      const [value, error] = await tell<[T, string?]>('POST', `${session}/execute/async`, { script, args: [] });
      if (error) throw new Error(error);
      return value;
    },
    act: (actions) => tell('POST', `${session}/actions`, { actions }),
    async close() {
      await tell('DELETE', session).catch(() => {}); // it may have gone by itself
      driver.kill('SIGKILL');
      await ended;
      screen.kill('SIGKILL');
    },
  };
}
