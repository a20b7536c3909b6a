// Variables passed to children. An allowlist, so that secrets added later are not passed.
const passedVariables = ['PATH', 'TZ', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Returns the environment of a child with a private HOME. `more` overrides it. */
export function childEnvironment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const environment: Record<string, string> = { LANG: 'C.UTF-8', HOME: home };
  for (const name of passedVariables) {
    const value = process.env[name];
    if (value) environment[name] = value;
  }
  return { ...environment, ...more };
}
