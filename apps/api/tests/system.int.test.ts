import { afterAll, describe, expect, test } from '@jest/globals';
import { WorkerRepository } from '@sluice/db';
import { aSmallWorkflow } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

describe('workers', () => {
  test('are listed with their lease, load, and packages, for owners and admins', async () => {
    const workers = new WorkerRepository(api.db);
    const packages = [{ name: 'sluice-nodes-acme', version: '1.2.3' }];
    const identity = { hostname: 'here', pid: 7, concurrency: 20 };
    await workers.register({ id: 'reporting', ...identity, version: '9.8.7', packages }, 60_000);
    await workers.register({ id: 'silent', ...identity }, 60_000);
    const load = { active: 3, capacity: 10, memoryBytes: 123_456_789_012, memoryLimitBytes: null, loopLagMs: 4 };
    await workers.renew('reporting', 60_000, load);
    const { status, body } = await api.call('GET', '/workers');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        id: 'reporting',
        ...identity,
        version: '9.8.7',
        packages,
        ...load,
        reportedAt: expect.any(String),
      }),
      expect.objectContaining({ id: 'silent', version: null, packages: [], active: null, reportedAt: null }),
    ]);
    for (const { leaseRemainingMs } of body.data) {
      expect(leaseRemainingMs).toBeGreaterThan(30_000);
      expect(leaseRemainingMs).toBeLessThanOrEqual(60_000);
    }
    const { key } = await api.newUser('member');
    expect((await api.call('GET', '/workers', { key })).status).toBe(403);
    const admin = await api.newUser('admin');
    expect((await api.call('GET', '/workers', { key: admin.key })).status).toBe(200);
  });
});

describe('the queue', () => {
  test('shows how many executions wait for a worker or for a limit', async () => {
    const projects = [await api.projects.createTeam({ name: 'busy' }), await api.projects.createTeam({ name: 'calm' })];
    const start = async (projectId: string | undefined, runs: number) => {
      const { id } = (await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId } })).body;
      for (let run = 0; run < runs; run += 1) await api.call('POST', `/workflows/${id}/run`, { body: {} });
    };
    await start(projects[0]?.id, 3);
    await start(projects[1]?.id, 1);
    const { body } = await api.call('GET', '/queue');
    expect(body).toMatchObject({ queued: 4, blocked: 0, oldestQueuedAt: expect.any(String) });
    expect(
      body.projects.map(({ projectName, queued }: { projectName: string; queued: number }) => [projectName, queued]),
    ).toEqual([
      ['busy', 3],
      ['calm', 1],
    ]);
    const member = await api.newUser('member');
    await api.projects.setMember(projects[1]?.id ?? '', member.user.id, 'project:viewer');
    expect((await api.call('GET', '/queue', { key: member.key })).body).toMatchObject({ queued: 1, projects: [{ queued: 1 }] });
    const stranger = await api.newUser('member');
    const empty = { queued: 0, blocked: 0, oldestQueuedAt: null, projects: [] };
    expect((await api.call('GET', '/queue', { key: stranger.key })).body).toMatchObject(empty);
    await api.db.kysely
      .updateTable('executions')
      .set({ queued_at: 'infinity' as unknown as Date, limit_ids: [1] })
      .where('project_id', '=', projects[1]?.id ?? '')
      .execute();
    expect((await api.call('GET', '/queue')).body).toMatchObject({ queued: 3, blocked: 1 });
  });
});
