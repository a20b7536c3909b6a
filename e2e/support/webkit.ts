import { spawn } from 'node:child_process';
import { eventually } from './acquisition.ts';
import type { OtherBrowser } from './other-browser.ts';

/** Starts WebKitGTK on a virtual screen and controls it by WebDriver. */
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
    // Accelerated compositing crashes on machines without a graphics card.
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => driver.once('exit', resolve));
  const inconsistencies: string[] = [];

  async function sendCommand<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  await eventually(() =>
    sendCommand<{ ready: boolean }>('GET', '/status').then(
      () => true,
      () => false,
    ),
  );
  const { sessionId } = await sendCommand<{ sessionId: string }>('POST', '/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  await sendCommand('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 });
  // WebDriver cannot add a script before those of the page, so errors are recorded only after loading.
  const listen = `window.inconsistencies = [];
    addEventListener('error', ({ message }) => inconsistencies.push(message));
    addEventListener('unhandledrejection', ({ reason }) => inconsistencies.push(String(reason)));
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      inconsistencies.push('Content Security Policy: ' + violatedDirective + ' ' + blockedURI));`;
  const sync = <T>(script: string) => sendCommand<T>('POST', `${session}/execute/sync`, { script, args: [] });
  const collectErrors = async () =>
    void inconsistencies.push(...(await sync<string[]>('return (window.inconsistencies ?? []).splice(0)')));
  return {
    async inconsistencies() {
      await collectErrors();
      return inconsistencies;
    },
    async go(url) {
      await collectErrors();
      await sendCommand('POST', `${session}/url`, { url });
      await sync(listen);
    },
    async run<T>(expression: string) {
      const script = `const done = arguments[0];
        (async () => done([await (${expression})]))().catch((error) => done([null, String(error)]))`;
      const [value, error] = await sendCommand<[T, string?]>('POST', `${session}/execute/async`, { script, args: [] });
      if (error) throw new Error(error);
      return value;
    },
    act: (actions) => sendCommand('POST', `${session}/actions`, { actions }),
    async close() {
      await sendCommand('DELETE', session).catch(() => {}); // the session may have ended already
      driver.kill('SIGKILL');
      await ended;
      screen.kill('SIGKILL');
    },
  };
}
