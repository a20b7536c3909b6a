import type { Config } from '../../config/config.ts';

const extensions = /^(moz|chrome)-extension:\/\//;

/** Returns whether pages of another origin may send requests with the login of the browser: those in a list, and extensions. */
export const isTrustedOrigin = ({ corsOrigins }: Pick<Config, 'corsOrigins'>, origin: string): boolean =>
  extensions.test(origin) || corsOrigins.includes(origin);
