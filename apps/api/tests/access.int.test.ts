import { afterAll, describe, expect, test } from '@jest/globals';
import { AuditRepository, type User } from '@sluice/db';
import { type ProjectRole, projectRoles, roleAllows } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { endpointOf } from '../src/http/route/define-route.ts';
import { routes } from '../src/routes.ts';
import { bodyOf, pathOf, someThings, type Things } from './support/example-calls.ts';
import { type ApiResponse, startTestApi } from './support/test-api.ts';

type TestedRole = ProjectRole | 'no role';

const people = new Map<TestedRole, { user: User; key: string }>();

const api = await startTestApi();
const audit = new AuditRepository(api.db.kysely);
const teamId = (await api.projects.createTeam({ name: 'team' })).id;
for (const role of ['no role', ...projectRoles] as const) {
  const person = await api.newUser('member');
  people.set(role, person);
  if (role !== 'no role') await api.projects.setMember(teamId, person.user.id, role);
}
afterAll(() => api.close());

const [viewer, editor, admin] = projectRoles;

/**
 * Contract 2.5: endpoint → lowest project role, for all endpoints that refer to an object of a
 * project.
 */
const neededRoles: Readonly<Record<string, ProjectRole>> = {
  'POST /workflows': editor,
  'GET /workflows/:id': viewer,
  'PATCH /workflows/:id': editor,
  'DELETE /workflows/:id': editor,
  'POST /workflows/:id/activate': editor,
  'POST /workflows/:id/deactivate': editor,
  'POST /workflows/:id/run': editor,
  'POST /workflows/:id/expressions': viewer,
  'POST /workflows/:id/test-urls': editor,
  'GET /workflows/:id/test-urls': editor,
  'DELETE /workflows/:id/test-urls': editor,
  'PUT /workflows/:id/transfer': admin,
  'GET /workflows/:id/versions': viewer,
  'GET /workflows/:id/versions/:versionId': viewer,
  'GET /workflows/:id/triggers': viewer,
  'GET /executions/:id': viewer,
  'PATCH /executions/:id': editor,
  'GET /executions/:id/events': viewer,
  'GET /executions/:id/workflow': viewer,
  'POST /executions/:id/stop': editor,
  'POST /executions/:id/retry': editor,
  'POST /executions/delete': editor,
  'POST /executions/stopMany': editor,
  'POST /credentials': editor,
  'GET /credentials/:credentialId': viewer,
  'PATCH /credentials/:credentialId': editor,
  'DELETE /credentials/:credentialId': editor,
  'POST /credentials/:credentialId/oauth2/authorize': editor,
  'PUT /credentials/:credentialId/share': admin,
  'PUT /credentials/:credentialId/transfer': admin,
  'POST /credentials/test': editor,
  'GET /projects/:id': viewer,
  'PATCH /projects/:id': admin,
  'DELETE /projects/:id': admin,
  'GET /projects/:id/members': viewer,
  'POST /projects/:id/members': admin,
  'PATCH /projects/:id/members/:userId': admin,
  'DELETE /projects/:id/members/:userId': admin,
  'POST /event-subscriptions': admin,
  'GET /event-subscriptions/:id': viewer,
  'PATCH /event-subscriptions/:id': admin,
  'DELETE /event-subscriptions/:id': admin,
  'POST /event-subscriptions/:id/rotate-secret': admin,
  'POST /event-subscriptions/:id/test': admin,
  'GET /event-subscriptions/:id/deliveries': viewer,
  'POST /event-subscriptions/:id/deliveries/:deliveryId/replay': admin,
  'POST /data-tables': editor,
  'GET /data-tables/:id': viewer,
  'PATCH /data-tables/:id': editor,
  'DELETE /data-tables/:id': editor,
  'POST /data-tables/:id/columns': editor,
  'PATCH /data-tables/:id/columns/:columnId': editor,
  'DELETE /data-tables/:id/columns/:columnId': editor,
  'GET /data-tables/:id/rows': viewer,
  'POST /data-tables/:id/rows': editor,
  'PATCH /data-tables/:id/rows': editor,
  'DELETE /data-tables/:id/rows': editor,
  'POST /data-tables/:id/rows/upsert': editor,
};

/**
 * Endpoints that refer to no object of a project, or only filter their response by the projects of
 * the caller.
 */
const ofNoProject =
  /^(GET \/(workflows|executions|credentials|projects|attention|audit|statistics|queue|workers|events|event-subscriptions|data-tables)|GET \/credentials\/(new|schema\/:type)|POST \/projects|\w+ \/(tags|api-keys|sessions|users|node-types|node-packages|credential-types|binary-data).*)$/;

/** Exceptions of the contract to 403 for inaccessible objects. */
const notFoundForStrangers = 'DELETE /credentials/:credentialId';

const personOf = (role: TestedRole) => people.get(role) as { user: User; key: string };
const newThings = (role: TestedRole) => someThings(api, teamId, personOf(role).user.personalProjectId);
/**
 * Objects that rejected requests refer to. They are shared, since rejected requests do not change
 * them.
 */
const untouched = new Map<TestedRole, Promise<Things>>();
function untouchedThings(role: TestedRole): Promise<Things> {
  const things = untouched.get(role) ?? newThings(role);
  untouched.set(role, things);
  return things;
}

async function attempt(endpoint: string, role: TestedRole, things: Things): Promise<ApiResponse> {
  const [method = ''] = endpoint.split(' ');
  return api.call(method, pathOf(endpoint, things), { key: personOf(role).key, body: bodyOf(endpoint, things) });
}

/** Checks the audit log entries of the request; requests that change nothing have no entry. */
async function expectLine(endpoint: string, response: ApiResponse, outcome: string): Promise<void> {
  const action = routes.find((route) => endpointOf(route) === endpoint)?.action;
  const requestId = response.headers.get('x-request-id');
  await eventually(async () => {
    const recent = await audit.list({}, { limit: 20 });
    const lines = recent.filter((line) => line.requestId === requestId).map((line) => [line.action, line.outcome]);
    expect(lines).toEqual(action === undefined ? [] : [[action, outcome]]);
  });
}

/** A credential that a user can connect. */
async function aConnectable(projectId: string): Promise<string> {
  const service = 'https://accounts.example.com';
  const data = { authUrl: service, accessTokenUrl: service, clientId: 'c', clientSecret: 's' };
  return (await api.call('POST', '/credentials', { body: { name: 'c', type: 'oAuth2Api', projectId, data } })).body.id;
}

/** Sets up the state that the request needs. */
async function prepare(endpoint: string, things: Things): Promise<void> {
  if (endpoint.endsWith('/retry')) await api.call('POST', `/executions/${things.executionId}/stop`);
  if (/^(GET|DELETE) .*test-urls$/.test(endpoint)) {
    const open = 'POST /workflows/:id/test-urls';
    await api.call('POST', pathOf(open, things), { body: bodyOf(open, things) });
  }
  if (endpoint.endsWith('/oauth2/authorize')) things.credentialId = await aConnectable(things.projectId);
  if (endpoint.endsWith('/:userId')) await api.projects.setMember(teamId, things.userId, viewer);
}

describe('project roles', () => {
  test('covers every endpoint that refers to an object of a project', () => {
    const named = routes.map(endpointOf).filter((endpoint) => !ofNoProject.test(endpoint));
    expect(Object.keys(neededRoles).sort()).toEqual(named.sort());
  });

  const refused = Object.entries(neededRoles).flatMap(([endpoint, needed]) => [
    { endpoint, role: 'no role' as const, status: endpoint === notFoundForStrangers ? 404 : 403 },
    ...projectRoles.filter((role) => !roleAllows(role, needed)).map((role) => ({ endpoint, role, status: 403 })),
  ]);
  test.each(refused)('$endpoint is $status with $role and has an audit entry', async ({ endpoint, role, status }) => {
    const response = await attempt(endpoint, role, await untouchedThings(role));
    expect([response.status, response.body.code]).toEqual([status, status === 404 ? 'NOT_FOUND' : 'FORBIDDEN']);
    await expectLine(endpoint, response, status === 404 ? 'failed' : 'denied');
  });

  // Events do not end before the execution, and later tests need the team.
  const called = Object.entries(neededRoles).filter(([endpoint]) => !/events$|^DELETE .projects.:id$/.test(endpoint));
  const allowed = called.flatMap(([endpoint, needed]) =>
    projectRoles.filter((role) => roleAllows(role, needed)).map((role) => ({ endpoint, role })),
  );
  test.each(allowed)('$endpoint is allowed with $role and has an audit entry', async ({ endpoint, role }) => {
    const things = await newThings(role);
    await prepare(endpoint, things);
    const response = await attempt(endpoint, role, things);
    expect(response.body?.code).toBeUndefined();
    expect([200, 201, 202, 204]).toContain(response.status);
    await expectLine(endpoint, response, 'success');
  });
});
