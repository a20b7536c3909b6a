import pino, { type DestinationStream, type LoggerOptions } from 'pino';
import type { Config } from './config.ts';
import { decoded } from './decoded.ts';

// What must never be read in a log, wherever it stands in a line: by the name of its key, by the form it has, by its value.
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
  [/([?&]sig=)[^\s"&\\]+/g, '$1…'],
  [/\b((?:sessionid|csrftoken)=)[^\s";\\]+/g, '$1…'],
  [/\b((?:Token|Bearer|Basic) )[\w.~+/=-]{8,}/g, '$1…'],
  [/(:\/\/[^\s"/:@\\]*:)[^\s"/@\\]+@/g, '$1…@'], // a password in an address
];

const secretsOf = ({
  password,
  metricsToken,
  databaseUrl,
  proxyUrl,
  ldap,
  oidc,
}: Pick<Config, 'password' | 'metricsToken' | 'databaseUrl' | 'proxyUrl' | 'ldap' | 'oidc'>) => {
  const inAddresses = [databaseUrl, proxyUrl].flatMap((url) =>
    url && URL.canParse(url) ? [decoded(new URL(url).password)] : [],
  );
  const brought = [password, metricsToken, ldap?.bindPassword, oidc?.clientSecret, ...inAddresses];
  return brought.filter((one): one is string => one !== undefined && one.length >= 4);
};

/** The log: JSON, a line each, without secrets. */
export function openLog(config: Config, to?: DestinationStream) {
  const values = secretsOf(config).map((secret) => JSON.stringify(secret).slice(1, -1));
  const options: LoggerOptions = {
    level: config.logLevel,
    redact: { paths: keys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    hooks: {
      streamWrite(line) {
        let clean = line;
        for (const [form, instead] of forms) clean = clean.replace(form, instead);
        for (const value of values) clean = clean.replaceAll(value, '[redacted]');
        return clean;
      },
    },
  };
  return pino(options, to);
}
