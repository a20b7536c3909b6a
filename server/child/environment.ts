// What a child may know of our surroundings. A list of what is allowed, so that a secret added tomorrow stays outside.
const passedOn = ['PATH', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The environment of a child whose home is a private folder. `more` is added last and may replace. */
export function childEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const environment: Record<string, string> = { LANG: 'C.UTF-8', HOME: home };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value) environment[name] = value;
  }
  return { ...environment, ...more };
}
