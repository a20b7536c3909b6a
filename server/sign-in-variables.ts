import { z } from 'zod';

/** Words, parted by spaces or commas. */
export const list = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));
/** on or off, as people write it. */
export const flag = z
  .string()
  .trim()
  .toLowerCase()
  .refine((word) => ['', '1', 'yes', 'true', 'on', '0', 'no', 'false', 'off'].includes(word), 'write on or off')
  .transform((word) => ['1', 'yes', 'true', 'on'].includes(word));

/** `HTTP_REMOTE_USER`, as some servers spell a header inside, is `remote-user` on the wire. */
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

/** Variables about who may log in, beside accounts with passwords of their own; part of the reference in config.ts. */
export const signInVariables = {
  REELKEEP_LOGIN: {
    also: ['TA_LOGIN_AUTH_MODE'],
    type: z.enum(
      ['single', 'local', 'ldap', 'ldap_local', 'forwardauth'],
      'write single, local, ldap, ldap_local or forwardauth',
    ),
    initial: 'single',
    does: 'Who says who somebody is: `local` passwords, `ldap`, `ldap_local` (either), `forwardauth` (a proxy); `single` takes what is configured',
  },
  REELKEEP_FORWARD_AUTH: {
    also: ['TA_ENABLE_AUTH_PROXY'],
    type: flag,
    initial: 'off',
    does: 'A proxy of `REELKEEP_TRUSTED_PROXIES` says in a header who is logged in; a name that is new gets an account',
  },
  REELKEEP_FORWARD_AUTH_HEADER: {
    also: ['TA_AUTH_PROXY_USERNAME_HEADER'],
    type: header,
    initial: 'Remote-User',
    does: 'That header',
  },
  REELKEEP_FORWARD_AUTH_LOGOUT: {
    also: ['TA_AUTH_PROXY_LOGOUT_URL'],
    type: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
    does: 'Where that proxy logs people out',
  },
  REELKEEP_LDAP_URL: {
    also: ['TA_LDAP_SERVER_URI'],
    type: z.string().regex(/^ldaps?:\/\//, 'write ldap://… or ldaps://…'),
    does: 'An LDAP server that knows people and their passwords',
  },
  REELKEEP_LDAP_BIND_DN: { also: ['TA_LDAP_BIND_DN'], type: z.string(), initial: '', does: 'Who looks people up there' },
  REELKEEP_LDAP_BIND_PASSWORD: {
    also: ['TA_LDAP_BIND_PASSWORD'],
    type: z.string(),
    initial: '',
    secret: true,
    does: 'With this password',
  },
  REELKEEP_LDAP_BASE: { also: ['TA_LDAP_USER_BASE'], type: z.string(), initial: '', does: 'Below which entry they are' },
  REELKEEP_LDAP_FILTER: {
    also: ['TA_LDAP_USER_FILTER'],
    type: z.string(),
    initial: '(objectClass=*)',
    does: 'Which of the entries there may log in',
  },
  REELKEEP_LDAP_NAME: {
    also: ['TA_LDAP_USER_ATTR_MAP_USERNAME', 'TA_LDAP_USER_ATTR_MAP_UID'],
    type: z.string().regex(/^[\w-]+$/, 'write the name of an attribute'),
    initial: 'uid',
    does: 'Which attribute is the name that people log in with',
  },
  REELKEEP_LDAP_STAFF: {
    also: ['TA_LDAP_PROMOTE_USERNAMES_TO_STAFF'],
    type: list,
    initial: '',
    does: 'Names from there that are staff',
  },
  REELKEEP_LDAP_SUPERUSERS: {
    also: ['TA_LDAP_PROMOTE_USERNAMES_TO_SUPERUSER'],
    type: list,
    initial: '',
    does: 'Names from there that are staff as well',
  },
  REELKEEP_LDAP_INSECURE: {
    also: ['TA_LDAP_DISABLE_CERT_CHECK'],
    type: flag,
    initial: 'off',
    does: "Do not check that server's certificate",
  },
  REELKEEP_OIDC_ISSUER: {
    type: z.url({ protocol: /^https?$/, error: 'write an http or https address' }),
    does: 'An OpenID provider where people may log in',
  },
  REELKEEP_OIDC_CLIENT_ID: { type: z.string(), initial: 'reelkeep', does: 'What we are called there' },
  REELKEEP_OIDC_CLIENT_SECRET: { type: z.string(), secret: true, does: 'What we prove it with; without one PKCE alone does' },
  REELKEEP_OIDC_NAME: { type: z.string().max(60), initial: 'single sign-on', does: 'What the button says: Log in with …' },
  REELKEEP_OIDC_SCOPES: { type: z.string(), initial: 'openid profile', does: 'What is asked of the provider' },
  REELKEEP_OIDC_GROUPS_CLAIM: { type: z.string(), initial: 'groups', does: "Where the provider tells somebody's groups" },
  REELKEEP_OIDC_STAFF_GROUP: {
    type: z.string(),
    does: 'Whoever is in this group there is staff here, and whoever is not is not; without it nobody becomes staff there',
  },
} as const;
