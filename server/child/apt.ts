const patiently = ['-o', 'DPkg::Lock::Timeout=300'];

/** What apt-get is asked for to install a package; it waits for others who are at it, five minutes at most. */
export const aptSteps = (name: string): [update: string[], install: string[]] => [
  [...patiently, 'update'],
  [...patiently, 'install', '-y', '--no-install-recommends', name],
];

/** So that no package asks anybody anything. */
export const aptEnvironment = { DEBIAN_FRONTEND: 'noninteractive' };
