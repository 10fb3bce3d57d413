export { checkNodePackage } from './check-node-package.ts';
export {
  type LoadedNodePackage,
  type LoadNodePackagesOptions,
  loadNodePackages,
  logNodePackages,
  type NodePackageFailure,
  type NodePackages,
  noNodePackages,
} from './load-node-packages.ts';
export { isPackageName } from './read-manifest.ts';
