import pino, { type DestinationStream, type LoggerOptions } from 'pino';
import type { Config } from '../config/config.ts';
import { safeDecodeUri } from '../lib/safe-decode-uri.ts';

// Secrets are removed from the log by key name, by form and by value.
const keys = [
  'password',
  'token',
  'cookie',
  'cookies',
  'authorization',
  'potoken',
  'secret',
  'sealed',
  'current',
  'next',
  'csrftoken',
];
const forms: [RegExp, string][] = [
  [/(\/(?:youtube|media|cache|m3u)\/(?:~|%7e))[^\s"/\\]+/gi, '$1…'],
  [/(\/(?:shared|share|podcast)\/)[\w-]{20,}/g, '$1…'],
  [/\b((?:sessionid|csrftoken)=)[^\s";\\]+/g, '$1…'],
  [/\b((?:Token|Bearer|Basic) )[\w.~+/=-]{8,}/g, '$1…'],
  [/(:\/\/[^\s"/:@\\]*:)[^\s"/@\\]+@/g, '$1…@'], // password in a URL
  [/(:\/\/)[^\s"/:@?#\\]+@/g, '$1…@'], // or a token
];

// Query and fragment of URLs may contain keys; ids of videos and lists are kept.
const maskQuery = (url: string) =>
  url.replace(/([?&#])([^=&#]*)(=?)([^&#]*)/g, (whole: string, mark: string, name: string, equals: string, value: string) =>
    (name === 'v' || name === 'list') && /^[-\w]{1,64}$/.test(value) ? whole : `${mark}${equals ? `${name}=` : ''}…`,
  );

const secretsOf = ({
  password,
  metricsToken,
  databaseUrl,
  proxyUrl,
  ldap,
  oidc,
}: Pick<Config, 'password' | 'metricsToken' | 'databaseUrl' | 'proxyUrl' | 'ldap' | 'oidc'>) => {
  const maskUrls = [databaseUrl, proxyUrl].flatMap((url) =>
    url && URL.canParse(url) ? [safeDecodeUri(new URL(url).password)] : [],
  );
  const brought = [password, metricsToken, ldap?.bindPassword, oidc?.clientSecret, ...maskUrls];
  return brought.filter((one): one is string => one !== undefined && one.length >= 4);
};

/** Opens the log: one JSON object per line, without secrets. */
export function openLog(config: Config, to?: DestinationStream) {
  const values = secretsOf(config).map((secret) => JSON.stringify(secret).slice(1, -1));
  const options: LoggerOptions = {
    level: config.logLevel,
    redact: { paths: keys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    hooks: {
      streamWrite(line) {
        let clean = line;
        for (const [form, instead] of forms) clean = clean.replace(form, instead);
        // Also of addresses without a scheme, and with characters that end the pattern below.
        clean = clean.replace(/[?&#][\w.~%[\]-]{1,64}=[^\s"&#\\]*/g, maskQuery);
        clean = clean.replace(/\bhttps?:\/\/[^\s"'<>\\]+[?#][^\s"'<>\\]+/gi, maskQuery);
        for (const value of values) clean = clean.replaceAll(value, '[redacted]');
        return clean;
      },
    },
  };
  return pino(options, to);
}
