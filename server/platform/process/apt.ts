const patiently = ['-o', 'DPkg::Lock::Timeout=300'];

/** Arguments of apt-get to install a package. It waits up to five minutes for the lock. */
export const aptSteps = (name: string): [update: string[], install: string[]] => [
  [...patiently, 'update'],
  [...patiently, 'install', '-y', '--no-install-recommends', name],
];

/** Prevents questions of packages. */
export const aptEnvironment = { DEBIAN_FRONTEND: 'noninteractive' };
