import { eventually } from './acquiring.ts';

/** A browser that is not Chromium, with one page, spoken to in the language it understands by itself. */
export interface OtherBrowser {
  /** Goes to an address, and waits until it is there. */
  go(address: string): Promise<void>;
  /** What an expression comes to in the page; it may be a promise. */
  run<T>(expression: string): Promise<T>;
  /** Keys, as WebDriver names them; both languages do it alike. */
  act(actions: object[]): Promise<void>;
  /** What the page said as an error, or did against its policy. */
  complaints(): Promise<string[]>;
  close(): Promise<void>;
}

const named: Record<string, string> = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' };

/** What somebody does at it. */
export const handsOn = (browser: OtherBrowser) => {
  const press = (...keys: string[]) =>
    browser.act([
      {
        type: 'key',
        id: 'keys',
        actions: keys.flatMap((key) => {
          const value = named[key] ?? key;
          return [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ];
        }),
      },
    ]);
  /** Waits until an expression is true of the page, and answers it. */
  const until = <T>(expression: string) => eventually(() => browser.run<T>(expression), expression);
  return {
    press,
    type: (text: string) => press(...text),
    until,
    /** Follows the first link that has this name, by keys, once it is there. */
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
