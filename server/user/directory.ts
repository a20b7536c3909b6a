import type { LdapConfig } from '../config.ts';
import { foldName } from '../fold-text.ts';

const longestMs = 10_000;

/** Somebody whom the directory knows. */
export interface DirectoryEntry {
  /** As the directory writes it. */
  name: string;
  isStaff: boolean;
}

/**
 * Asks an LDAP server whether this is somebody's name and password: finds the one entry of that name, and binds as it. Null when
 * there is none, or the password is another. Throws when the server cannot be asked.
 */
export async function askDirectory(ldap: LdapConfig, name: string, password: string): Promise<DirectoryEntry | null> {
  if (password === '') return null; // a bind without a password succeeds, and proves nothing
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
      // Built, not written together: whatever is typed as a name stays a name.
      filter: new AndFilter({
        filters: [FilterParser.parseString(ldap.filter), new EqualityFilter({ attribute: ldap.nameAttribute, value: name })],
      }),
      attributes: [ldap.nameAttribute],
      sizeLimit: 2,
    });
    const [entry, another] = searchEntries;
    if (!entry || another) return null; // two of one name are nobody
    try {
      await person.bind(entry.dn, password);
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return null;
      throw error;
    }
    const said = [entry[ldap.nameAttribute]].flat()[0];
    const known = typeof said === 'string' ? said : name;
    return { name: known, isStaff: ldap.staff.includes(foldName(known)) };
  } finally {
    await Promise.all([seeker, person].map((client) => client.unbind().catch(() => undefined)));
  }
}
