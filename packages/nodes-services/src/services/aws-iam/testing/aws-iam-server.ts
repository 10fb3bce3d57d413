import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const name = { type: 'string', pattern: '^[\\w+=,.@-]{1,128}$' };
const path = { type: 'string', pattern: '^/' };
const count = { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' };
const page = { 'MaxItems!': count, Marker: name };

/** Action → its parameters. */
const actions: Readonly<Record<string, Record<string, object>>> = {
  AddUserToGroup: { 'UserName!': name, 'GroupName!': name },
  CreateGroup: { 'GroupName!': name, Path: path },
  CreateUser: { 'UserName!': name, Path: path, PermissionsBoundary: { type: 'string', pattern: '^arn:' } },
  DeleteGroup: { 'GroupName!': name },
  DeleteUser: { 'UserName!': name },
  GetGroup: { 'GroupName!': name, ...page },
  GetUser: { 'UserName!': name },
  ListGroups: { ...page, PathPrefix: path },
  ListUsers: { ...page, PathPrefix: path },
  RemoveUserFromGroup: { 'UserName!': name, 'GroupName!': name },
  UpdateGroup: { 'GroupName!': name, NewGroupName: name, NewPath: path },
  UpdateUser: { 'UserName!': name, NewUserName: name, NewPath: path },
};

const user = '<UserName>ada</UserName><UserId>AIDA1</UserId><Path>/</Path><Arn>arn:aws:iam::1:user/ada</Arn>';
const group = '<GroupName>sales</GroupName><Path>/</Path>';
const results: Readonly<Record<string, string>> = {
  CreateGroup: `<Group>${group}</Group>`,
  CreateUser: `<User>${user}</User>`,
  GetGroup: `<Group>${group}</Group><Users><member>${user}</member></Users><IsTruncated>false</IsTruncated>`,
  GetUser: `<User>${user}</User>`,
  ListGroups: `<Groups><member>${group}</member></Groups><IsTruncated>false</IsTruncated>`,
  ListUsers: `<Users><member>${user}</member></Users><IsTruncated>false</IsTruncated>`,
};

/** The XML of a result. */
export const iamAnswer = (action: string, result = results[action] ?? '') => ({
  headers: { 'content-type': 'text/xml' },
  text: `<${action}Response xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><${action}Result>${result}</${action}Result></${action}Response>`,
});

/** https://docs.aws.amazon.com/IAM/latest/APIReference/, for the access key `AK1`. */
export function awsIamServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://iam.amazonaws.com',
    headers: { authorization: /^AWS4-HMAC-SHA256 Credential=AK1\/\d{8}\/us-east-1\/iam\/aws4_request, / },
    routes: {
      'POST /': {
        type: /^application\/x-www-form-urlencoded/,
        body: {
          oneOf: Object.entries(actions).map(([action, parameters]) =>
            fields({ 'Action!': { const: action }, 'Version!': { const: '2010-05-08' }, ...parameters }),
          ),
        },
        answer: ({ body }) => iamAnswer((body as { Action: string }).Action),
      },
    },
  });
}
