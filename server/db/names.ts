import { CamelCasePlugin } from 'kysely';

/**
 * Names are in camel case here and with underscores in the database. Kysely's plugin copies the tree of every query to change them;
 * each engine's compiler changes them here instead, while it writes the query's text.
 */
class Names extends CamelCasePlugin {
  override transformQuery: CamelCasePlugin['transformQuery'] = ({ node }) => node;
  inDatabase(name: string): string {
    return this.snakeCase(name);
  }
  here(column: string): string {
    return this.camelCase(column);
  }
}
export const names = new Names();
