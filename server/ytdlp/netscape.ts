/** One cookie of a file in the format of Netscape. */
export interface Cookie {
  domain: string;
  name: string;
  /** Epoch seconds; 0 ends with the browser's session. */
  expiresAt: number;
}

const header = '# Netscape HTTP Cookie File';

/**
 * Reads a cookie file as browsers' extensions export it: seven fields a line, separated by tabs. Throws a sentence when it is
 * none: JSON, a header of a request, something else. Answers it as yt-dlp accepts it, and what is in it.
 */
export function readNetscape(text: string): { text: string; cookies: Cookie[] } {
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

// Without these YouTube takes nobody for logged in.
const loginNames = /^(LOGIN_INFO|SID|HSID|SSID|APISID|SAPISID|__Secure-[13]P(SID|APISID))$/;

/** When the login that the cookies carry ends, epoch seconds; null when they carry none, or it ends with a session. */
export function loginEnds(cookies: Cookie[]): number | null {
  const login = cookies.filter(({ name, expiresAt }) => loginNames.test(name) && expiresAt > 0);
  return login.length > 0 ? Math.min(...login.map(({ expiresAt }) => expiresAt)) : null;
}
