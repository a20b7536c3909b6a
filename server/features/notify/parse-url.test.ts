import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidUrlError } from './errors.ts';
import { parseUrl } from './parse-url.ts';
import { deliveryOf } from './send.ts';

describe('parsing a notification URL', () => {
  test('reads all parts like Apprise', () => {
    const url = parseUrl('JSONS://me:p%40ss%3A@Nas.example:8443/a%2Fb/c?Verify=no&+X-Key=a+b%20c;-q=1&:title=');
    expect(url).toMatchObject({ scheme: 'jsons', user: 'me', password: 'p@ss:', host: 'Nas.example', port: 8443 });
    expect(url.path).toEqual(['a/b', 'c']);
    expect([...url.query]).toEqual([['verify', 'no']]);
    expect([...url.headers]).toEqual([['X-Key', 'a+b c']]);
    expect([...url.params]).toEqual([['q', '1']]);
    expect([...url.fields]).toEqual([['title', '']]);
  });

  test('accepts IPv6 hosts, users with an @, and a token as host', () => {
    expect(parseUrl('ntfy://[fd00::7]:80/t')).toMatchObject({ host: 'fd00::7', port: 80, path: ['t'] });
    expect(parseUrl('mailto://me@a.example:secret@b.example')).toMatchObject({
      user: 'me@a.example',
      password: 'secret',
      host: 'b.example',
    });
    expect(parseUrl('tgram://123:AbC/-100')).toMatchObject({ host: '123:AbC', port: null, path: ['-100'] });
    expect(parseUrl('slack://A/B/C/#general?x=1')).toMatchObject({ host: 'A', path: ['B', 'C', '#general'] });
    expect(parseUrl('ntfy://to%/x%zz')).toMatchObject({ host: 'to%', path: ['x%zz'] });
  });

  test.each([
    ['https://discord.com/api/webhooks/12/ab-c?thread=7', { scheme: 'discord', host: '12', path: ['ab-c'] }],
    ['https://hooks.slack.com/services/T1/B2/c3', { scheme: 'slack', host: 'T1', path: ['B2', 'c3'] }],
    ['https://ntfy.sh/mytopic', { scheme: 'ntfys', host: 'ntfy.sh', path: ['mytopic'] }],
  ])('accepts the native URL %s', (text, parts) => expect(parseUrl(text)).toMatchObject(parts));

  test.each([
    '',
    'nonsense',
    'ntfy://',
    'ntfy:/topic',
    'ntfy://a b',
    'ntfy://a\nfile:///etc/passwd',
    'ntfy://host:99999/t',
    `ntfy://${'x'.repeat(2000)}`,
  ])('rejects %j', (text) => expect(() => parseUrl(text)).toThrow(InvalidUrlError));
});

describe('rejects invalid URLs with a message', () => {
  test.each([
    'ntfy://host/to pic',
    'ntfy://host/a%2Fb',
    'ntfy://ntfy.sh',
    'gotify://host',
    'gotify://ho%2Fst/token',
    'discord://abc/token',
    'discord://123',
    'slack://A/B',
    'slack://xoxb-1-2-3',
    'tgram://123:abc',
    'tgram://nobot/1',
    'pover://token',
    'pover://user@token/bad%20device',
    'matrixs://user:password@host',
    'json://host?method=CONNECT',
    'json://host?+Host=other',
    'json://host?+X-Reelkeep-Signature=forged',
    'json://exa%23mple/x',
    'mailto://host?to=a@b.example',
    'mailto://user:p@host/nobody',
    'mailtos://user:p@host?mode=quietly',
  ])('%s', (text) => expect(() => deliveryOf(text)).toThrow(/\.$|:\/\/\S+$|@\S+$/));

  test('accepts or rejects any text without other errors', () => {
    const schemes = fc.constantFrom(
      ...'ntfy ntfys gotify discord slack tgram pover matrixs json form mailto mailtos xml file'.split(' '),
    );
    const anything = fc.oneof(
      fc.string(),
      fc.tuple(schemes, fc.string()).map(([scheme, rest]) => `${scheme}://${rest}`),
      fc.tuple(schemes, fc.webUrl({ withQueryParameters: true })).map(([scheme, url]) => url.replace(/^https?/, scheme)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        try {
          expect(typeof deliveryOf(text)).toBe('function');
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidUrlError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
