import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Built files of the dashboard. */
export interface DashboardFiles {
  folder: string;
  /** The page, with placeholders. */
  page: string;
  /** First segments of the paths that the page handles, in addition to `/`. */
  areas: readonly string[];
  files: readonly { path: string; encodings: readonly string[] }[];
}

/** Folder of the built dashboard in `./dev start`, the image, and the package. */
export function dashboardFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sluice/dashboard/package.json')), 'dist/public');
}

/** Returns `undefined` if the dashboard is not built. */
export function readDashboard(folder: string): DashboardFiles | undefined {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    return { folder, page: read('index.html'), areas: JSON.parse(read('areas.json')), files: JSON.parse(read('files.json')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
