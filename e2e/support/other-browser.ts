import { eventually } from './acquisition.ts';

/** A browser other than Chromium with one page, controlled by its native protocol. */
export interface OtherBrowser {
  /** Navigates to a URL and waits for the page to load. */
  go(address: string): Promise<void>;
  /** Evaluates an expression, or a promise, in the page. */
  run<T>(expression: string): Promise<T>;
  /** Performs key actions in the WebDriver format, which WebDriver BiDi shares. */
  act(actions: object[]): Promise<void>;
  /** Returns the errors and policy violations of the page. */
  inconsistencies(): Promise<string[]>;
  close(): Promise<void>;
}

const keyCodes: Record<string, string> = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' };

/** Returns user actions for a browser. */
export const userActions = (browser: OtherBrowser) => {
  const press = (...keys: string[]) =>
    browser.act([
      {
        type: 'key',
        id: 'keys',
        actions: keys.flatMap((key) => {
          const value = keyCodes[key] ?? key;
          return [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ];
        }),
      },
    ]);
  /** Waits until an expression is truthy in the page, and returns its value. */
  const until = <T>(expression: string) => eventually(() => browser.run<T>(expression), expression);
  return {
    press,
    type: (text: string) => press(...text),
    until,
    /** Waits for the first link that contains this name, focuses it and presses Enter. */
    async follow(selector: string, name: string) {
      await until(`(() => {
        const found = [...document.querySelectorAll(${JSON.stringify(selector)})]
          .find((one) => one.checkVisibility() && one.textContent.includes(${JSON.stringify(name)}));
        found?.focus();
        return found !== undefined && document.activeElement === found;
      })()`);
      await press('Enter');
    },
  };
};
