import { chromium, type Browser, type Page, type Request } from 'playwright-core';
import { afterEach } from 'vitest';

// When a test of the browser fails, prints what its open pages show, and the requests without a response: a test that fails only on a
// busy machine cannot be looked at afterwards.

const browsers = new Set<Browser>();
const pendingOf = new WeakMap<Page, Set<Request>>();

function watch(page: Page) {
  const pending = new Set<Request>();
  pendingOf.set(page, pending);
  page.on('request', (request) => pending.add(request));
  page.on('response', (response) => pending.delete(response.request()));
  page.on('requestfailed', (request) => pending.delete(request));
}

const launch = chromium.launch.bind(chromium);
chromium.launch = async (options) => {
  const browser = await launch(options);
  browsers.add(browser);
  browser.on('disconnected', () => browsers.delete(browser));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (contextOptions) => {
    const context = await newContext(contextOptions);
    context.on('page', watch);
    return context;
  };
  return browser;
};

async function describePage(page: Page): Promise<string> {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5000 })
    .catch((error: Error) => error.message);
  const pending = [...(pendingOf.get(page) ?? [])].map((request) => `${request.method()} ${request.url()}`);
  return `${page.url()}\nwithout a response: ${pending.join(', ') || 'none'}\n${shown}`;
}

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const browser of browsers)
    for (const page of browser.contexts().flatMap((context) => context.pages()))
      console.log(`Page of the failed test “${task.name}”: ${await describePage(page)}`);
});
