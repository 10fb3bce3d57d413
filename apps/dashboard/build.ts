/**
 * Builds the dashboard into `dist/public`, compresses the files, and lists them in `files.json`,
 * which the API reads. Does nothing if the sources have not changed since the last build. Several
 * builds may run at once: each has its own folder, which it renames at the end. Assets of the
 * previous build are kept.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuiltFile, copyPreviousAssets } from './previous-assets.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const output = join(folder, 'dist/public');

/** Files that determine the output. The lockfile may be absent. */
const sources = [
  'src',
  'public',
  'index.html',
  'areas.json',
  'vite.config.ts',
  'package.json',
  'build.ts',
  'previous-assets.ts',
  '../../package-lock.json',
];
const packages = ['api-client', 'node-sdk', 'domain', 'expressions'].map((name) => `../../packages/${name}/src`);

const checksum = checksumOf([...sources, ...packages].flatMap((name) => filesOf(join(folder, name))));
if (readText(join(output, 'checksum')) !== checksum) await build();

async function build(): Promise<void> {
  process.stderr.write('dashboard: building ...\n');
  const { build: viteBuild } = await import('vite');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const scratch = mkdtempSync(join(folder, 'dist/build-'));
  try {
    await viteBuild({ root: folder, logLevel: 'warn', build: { outDir: scratch, emptyOutDir: true } });
    rmSync(join(scratch, 'vite-manifest.json'));
    const files: BuiltFile[] = filesOf(scratch)
      .filter((file) => file !== join(scratch, 'index.html'))
      .map((file) => ({ path: relative(scratch, file), encodings: compress(file) }));
    cpSync(join(folder, 'areas.json'), join(scratch, 'areas.json'));
    writeFileSync(join(scratch, 'files.json'), JSON.stringify([...files, ...copyPreviousAssets(output, scratch, files)]));
    writeFileSync(join(scratch, 'checksum'), checksum);
    // Created for this user only; in the image, another user reads it.
    chmodSync(scratch, 0o755);
    replaceOutput(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Writes compressed copies next to a file. Returns the encodings that save at least a tenth. */
function compress(file: string): string[] {
  const bytes = readFileSync(file);
  const copies = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    gzip: gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
  };
  return Object.entries(copies).flatMap(([encoding, copy]) => {
    if (copy.length > bytes.length * 0.9) return [];
    writeFileSync(`${file}.${encoding}`, copy);
    return [encoding];
  });
}

function replaceOutput(scratch: string): void {
  const old = `${scratch}-old`;
  if (existsSync(output)) renameSync(output, old);
  renameSync(scratch, output);
  rmSync(old, { recursive: true, force: true });
}

/** The files at or below a path, sorted. */
function filesOf(path: string): string[] {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind?.isDirectory()) return kind ? [path] : [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}

function checksumOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
