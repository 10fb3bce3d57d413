export { checkNodePackage } from './check-node-package.ts';
export { foreignTypeNames, packageOfType } from './foreign-type-names.ts';
export { loadNodePackages, logNodePackages } from './load-node-packages.ts';
export { type NodePackages, noNodePackages } from './node-packages.ts';
export { isNamed, isPackageName, readManifest } from './read-manifest.ts';
export { UncaughtErrors } from './uncaught-errors.ts';
