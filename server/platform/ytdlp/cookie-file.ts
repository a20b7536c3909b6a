/** A cookie of a Netscape cookie file. */
export interface Cookie {
  domain: string;
  name: string;
  /** Epoch seconds; 0 for a session cookie. */
  expiresAt: number;
}

const header = '# Netscape HTTP Cookie File';

/**
 * Parses a cookie file exported by a browser extension: seven tab-separated fields per line. Returns the cookies, and the text in
 * the form that yt-dlp accepts.
 * @throws Error with a message for users if it is another format, such as JSON or a request header
 */
export function parseNetscape(text: string): { text: string; cookies: Cookie[] } {
  const clean = text.replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  if (/^[[{]/.test(clean)) throw new Error('This is JSON. Export the cookies in the format of Netscape (cookies.txt).');
  const cookies: Cookie[] = [];
  for (const line of clean.split('\n')) {
    const plain = line.replace(/^#HttpOnly_/, '');
    if (plain.trim() === '' || plain.startsWith('#')) continue;
    const fields = plain.split('\t');
    const [domain = '', includes = '', path = '', secure = '', expires = '', name = ''] = fields;
    const isRight =
      fields.length === 7 &&
      domain.includes('.') &&
      /^(TRUE|FALSE)$/.test(includes) &&
      path.startsWith('/') &&
      /^(TRUE|FALSE)$/.test(secure);
    if (!isRight || !/^\d*(\.\d+)?$/.test(expires) || name === '')
      throw new Error('This is not a cookie file in the format of Netscape: seven fields a line, separated by tabs.');
    cookies.push({ domain, name, expiresAt: Math.floor(Number(expires)) });
  }
  if (cookies.length === 0) throw new Error('There is no cookie in it.');
  return { text: `${clean.startsWith('# ') ? '' : `${header}\n`}${clean}\n`, cookies };
}

// Cookies that YouTube requires for a login.
const loginNames = /^(LOGIN_INFO|SID|HSID|SSID|APISID|SAPISID|__Secure-[13]P(SID|APISID))$/;

/** Returns when the login of the cookies expires, epoch seconds; null without a login or with session cookies only. */
export function loginExpiresAt(cookies: Cookie[]): number | null {
  const login = cookies.filter(({ name, expiresAt }) => loginNames.test(name) && expiresAt > 0);
  return login.length > 0 ? Math.min(...login.map(({ expiresAt }) => expiresAt)) : null;
}

// yt-dlp needs LOGIN_INFO and one of these.
const sessionId = /\t(SAPISID|__Secure-[13]PAPISID)\t/;

/** Returns what identifies the YouTube account in a cookie file: its LOGIN_INFO; undefined if yt-dlp would not use it as a login. */
export const youtubeLoginOf = (text: string): string | undefined =>
  sessionId.test(text) ? /\tLOGIN_INFO\t(.+)$/m.exec(text)?.[1] : undefined;
