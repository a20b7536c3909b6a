import { z } from 'zod';

/** Words separated by spaces or commas. */
export const list = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));
/** A boolean in common spellings. */
export const flag = z
  .string()
  .trim()
  .toLowerCase()
  .refine((word) => ['', '1', 'yes', 'true', 'on', '0', 'no', 'false', 'off'].includes(word), 'write on or off')
  .transform((word) => ['1', 'yes', 'true', 'on'].includes(word));

/** Header names in CGI form, such as `HTTP_REMOTE_USER`, become `remote-user`. */
const header = z
  .string()
  .trim()
  .transform((name) =>
    name
      .replace(/^HTTP_/, '')
      .replaceAll('_', '-')
      .toLowerCase(),
  )
  .refine((name) => /^[a-z0-9-]+$/.test(name), 'write the name of a header');

/** Variables about logins other than with local passwords; part of the reference in env-variables.ts. */
export const authVariables = {
  REELKEEP_LOGIN: {
    also: ['TA_LOGIN_AUTH_MODE'],
    type: z.enum(
      ['single', 'local', 'ldap', 'ldap_local', 'forwardauth'],
      'write single, local, ldap, ldap_local or forwardauth',
    ),
    initial: 'single',
    does: 'Authentication method: `local` passwords, `ldap`, `ldap_local` (either), `forwardauth` (a proxy); `single` uses what is configured',
  },
  REELKEEP_FORWARD_AUTH: {
    also: ['TA_ENABLE_AUTH_PROXY'],
    type: flag,
    initial: 'off',
    does: 'Trust the user name that a proxy of `REELKEEP_TRUSTED_PROXIES` sends; new names get an account',
  },
  REELKEEP_FORWARD_AUTH_HEADER: {
    also: ['TA_AUTH_PROXY_USERNAME_HEADER'],
    type: header,
    initial: 'Remote-User',
    does: 'Header with the user name',
  },
  REELKEEP_FORWARD_AUTH_LOGOUT: {
    also: ['TA_AUTH_PROXY_LOGOUT_URL'],
    type: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
    does: 'Logout URL of the proxy',
  },
  REELKEEP_LDAP_URL: {
    also: ['TA_LDAP_SERVER_URI'],
    type: z.string().regex(/^ldaps?:\/\//, 'write ldap://… or ldaps://…'),
    does: 'URL of the LDAP server',
  },
  REELKEEP_LDAP_BIND_DN: { also: ['TA_LDAP_BIND_DN'], type: z.string(), initial: '', does: 'DN used to search the directory' },
  REELKEEP_LDAP_BIND_PASSWORD: {
    also: ['TA_LDAP_BIND_PASSWORD'],
    type: z.string(),
    initial: '',
    secret: true,
    does: 'Password of that DN',
  },
  REELKEEP_LDAP_BASE: { also: ['TA_LDAP_USER_BASE'], type: z.string(), initial: '', does: 'Base DN of the users' },
  REELKEEP_LDAP_FILTER: {
    also: ['TA_LDAP_USER_FILTER'],
    type: z.string(),
    initial: '(objectClass=*)',
    does: 'Filter for the users who may log in',
  },
  REELKEEP_LDAP_NAME: {
    also: ['TA_LDAP_USER_ATTR_MAP_USERNAME', 'TA_LDAP_USER_ATTR_MAP_UID'],
    type: z.string().regex(/^[\w-]+$/, 'write the name of an attribute'),
    initial: 'uid',
    does: 'Attribute with the login name',
  },
  REELKEEP_LDAP_STAFF: {
    also: ['TA_LDAP_PROMOTE_USERNAMES_TO_STAFF'],
    type: list,
    initial: '',
    does: 'Names of users who are staff, spelled exactly as in the directory',
  },
  REELKEEP_LDAP_SUPERUSERS: {
    also: ['TA_LDAP_PROMOTE_USERNAMES_TO_SUPERUSER'],
    type: list,
    initial: '',
    does: 'More names of users who are staff, spelled exactly as in the directory',
  },
  REELKEEP_LDAP_INSECURE: {
    also: ['TA_LDAP_DISABLE_CERT_CHECK'],
    type: flag,
    initial: 'off',
    does: 'Do not verify the certificate of the LDAP server',
  },
  REELKEEP_OIDC_ISSUER: {
    type: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
    does: 'Issuer URL of an OpenID Connect provider',
  },
  REELKEEP_OIDC_CLIENT_ID: { type: z.string(), initial: 'reelkeep', does: 'Client id at the provider' },
  REELKEEP_OIDC_CLIENT_SECRET: { type: z.string(), secret: true, does: 'Client secret; without one only PKCE is used' },
  REELKEEP_OIDC_NAME: { type: z.string().max(60), initial: 'single sign-on', does: 'Name on the login button: Log in with …' },
  REELKEEP_OIDC_SCOPES: { type: z.string(), initial: 'openid profile', does: 'Scopes requested from the provider' },
  REELKEEP_OIDC_GROUPS_CLAIM: { type: z.string(), initial: 'groups', does: 'Claim with the groups of a user' },
  REELKEEP_OIDC_STAFF_GROUP: {
    type: z.string(),
    does: 'Group whose members are staff; others are not; without it the provider makes no one staff',
  },
} as const;
