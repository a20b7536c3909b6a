import type { LdapConfig } from '../../../platform/config/config.ts';

const longestMs = 10_000;

/** A user of the directory. */
export interface DirectoryEntry {
  /** In the spelling of the directory. */
  name: string;
  isStaff: boolean;
}

/**
 * Verifies a name and password against an LDAP server: finds the only entry with that name and binds as it. Returns null if there
 * is none or the password is wrong. @throws if the server is unavailable.
 */
export async function authenticateWithLdap(ldap: LdapConfig, name: string, password: string): Promise<DirectoryEntry | null> {
  if (password === '') return null; // a bind without a password succeeds without authentication
  const { AndFilter, Client, EqualityFilter, FilterParser, InvalidCredentialsError } = await import('ldapts');
  const connect = () =>
    new Client({
      url: ldap.url,
      timeout: longestMs,
      connectTimeout: longestMs,
      ...(ldap.url.startsWith('ldaps') && { tlsOptions: { rejectUnauthorized: !ldap.insecure } }),
    });
  const [seeker, person] = [connect(), connect()];
  try {
    if (ldap.bindDn) await seeker.bind(ldap.bindDn, ldap.bindPassword);
    const { searchEntries } = await seeker.search(ldap.base, {
      scope: 'sub',
      // Built from objects, so that input cannot inject filter syntax.
      filter: new AndFilter({
        filters: [FilterParser.parseString(ldap.filter), new EqualityFilter({ attribute: ldap.nameAttribute, value: name })],
      }),
      attributes: [ldap.nameAttribute],
      sizeLimit: 2,
    });
    const [entry, another] = searchEntries;
    if (!entry || another) return null; // an ambiguous name is rejected
    try {
      await person.bind(entry.dn, password);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return null;
      throw error;
    }
    const directoryName = [entry[ldap.nameAttribute]].flat()[0];
    const known = typeof directoryName === 'string' ? directoryName : name;
    return { name: known, isStaff: ldap.staff.includes(known.normalize('NFC')) };
  } finally {
    await Promise.all([seeker, person].map((client) => client.unbind().catch(() => undefined)));
  }
}
