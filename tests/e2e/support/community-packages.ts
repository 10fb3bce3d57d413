import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const manifests = fileURLToPath(new URL('../../community/', import.meta.url));
const cache = fileURLToPath(new URL('../../../node_modules/.cache/community-packages/', import.meta.url));
const files = ['package.json', 'package-lock.json'];
const installTimeoutMs = 60_000;

/** The available packages of `tests/community/package.json`. */
interface CommunityPackages {
  /** For `SLUICE_NODES_DIR`. */
  folder: string;
  /** Names of packages that are installed in the requested version. */
  installed: readonly string[];
  /** Names of packages that the registry does not have. */
  lacking: readonly string[];
}

/**
 * Installs the packages as an operator would, once per machine: they are reused until their folder
 * in `node_modules/.cache` is removed. Never rejects and never hangs. Reports packages that the npm
 * registry lacks as missing, or all packages if there is no registry. Does not run install scripts
 * or install the peer `n8n-workflow`.
 */
export async function installCommunityPackages(): Promise<CommunityPackages> {
  const texts = await Promise.all(files.map((file) => readFile(join(manifests, file), 'utf8')));
  const wanted: Record<string, string> = JSON.parse(texts[0] ?? '').optionalDependencies;
  const key = createHash('sha256').update(texts.join()).digest('hex').slice(0, 16);
  const folder = join(cache, key);
  const before = await lookFor(wanted, folder);
  if (before.installed.length > 0) return before;
  await install(wanted, folder).catch((error: unknown) => process.stderr.write(`community packages: ${error}\n`));
  return lookFor(wanted, folder);
}

async function lookFor(wanted: Record<string, string>, folder: string): Promise<CommunityPackages> {
  const installed: string[] = [];
  for (const [name, version] of Object.entries(wanted)) {
    const json = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => '{}');
    if (JSON.parse(json).version === version) installed.push(name);
  }
  return { folder, installed, lacking: Object.keys(wanted).filter((name) => !installed.includes(name)) };
}

/**
 * Installs into a temporary folder and then renames it, so that an interrupted or failed install
 * leaves nothing behind. If two test files install concurrently, the first one wins, since its
 * service may already use the folder.
 */
async function install(wanted: Record<string, string>, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, 'installing-'));
  try {
    await Promise.all(files.map((file) => copyFile(join(manifests, file), join(staging, file))));
    await runNpm(staging);
    if ((await lookFor(wanted, staging)).installed.length > 0) await putInPlace(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function putInPlace(staging: string, folder: string): Promise<void> {
  await rename(staging, folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

/** Installs them as optional dependencies: npm skips packages that it cannot download. */
function runNpm(folder: string): Promise<void> {
  const once = ['--fetch-retries=0', '--fetch-timeout=20000'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--legacy-peer-deps', ...once, ...quiet];
  // NODE_OPTIONS of the Jest process must not apply to npm.
  const env = { ...process.env, NODE_OPTIONS: '' };
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: folder, env, stdio: 'ignore', timeout: installTimeoutMs });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`npm install exited with ${signal ?? code}`)),
    );
  });
}
