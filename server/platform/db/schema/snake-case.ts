import { CamelCasePlugin } from 'kysely';

/**
 * Names are camel case in code and snake case in SQL. Kysely's plugin copies the tree of every query to convert them; here the
 * compilers convert them while writing the SQL.
 */
class Names extends CamelCasePlugin {
  override transformQuery: CamelCasePlugin['transformQuery'] = ({ node }) => node;
  toSnakeCase(name: string): string {
    return this.snakeCase(name);
  }
  toCamelCase(column: string): string {
    return this.camelCase(column);
  }
}
export const snakeCaseNames = new Names();
