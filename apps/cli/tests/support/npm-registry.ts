import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An npm registry on the loopback interface. */
export interface NpmRegistry {
  url: string;
  /** Publishes the package in a folder, packed by `npm pack`. */
  publish(folder: string): Promise<void>;
  /** From now on, archives do not match their published checksum. */
  corrupt(): void;
  close(): Promise<void>;
}

interface Published {
  manifest: { name: string; version: string };
  archive: Buffer;
}

export async function npmRegistry(): Promise<NpmRegistry> {
  const packages = new Map<string, Published[]>();
  let isCorrupt = false;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', version] = path.split('/-/');
    const versions = packages.get(name);
    if (!versions) return void response.writeHead(404).end('{"error":"Not found"}');
    const published = versions.find(({ manifest }) => manifest.version === version);
    if (published) return void response.end(isCorrupt ? Buffer.concat([published.archive, Buffer.of(0)]) : published.archive);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documentOf(name, versions, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async publish(folder) {
      const target = await mkdtemp(join(tmpdir(), 'sluice-pack-'));
      const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], {
        cwd: folder,
      });
      const packed = Object.values(JSON.parse(stdout) as object)[0] as { filename: string };
      const archive = await readFile(join(target, packed.filename.replace('@', '').replace('/', '-')));
      await rm(target, { recursive: true });
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Published['manifest'];
      packages.set(manifest.name, [...(packages.get(manifest.name) ?? []), { manifest, archive }]);
    },
    corrupt() {
      isCorrupt = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Package metadata: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
function documentOf(name: string, versions: readonly Published[], url: string): object {
  const entries = versions.map(({ manifest, archive }) => {
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const tarball = `${url}/${name}/-/${manifest.version}`;
    return [manifest.version, { ...manifest, _id: `${name}@${manifest.version}`, dist: { tarball, integrity } }];
  });
  return { _id: name, name, 'dist-tags': { latest: versions.at(-1)?.manifest.version }, versions: Object.fromEntries(entries) };
}
