import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { fakePorts, jsonResponse } from '../testing/credential-ports.ts';
import { signed } from '../testing/signed.ts';
import { aws } from './aws.ts';
import { azureStorage } from './azure-storage.ts';
import { httpDigestAuth } from './http-digest-auth.ts';
import { oAuth1Api } from './o-auth1-api.ts';
import { s3 } from './s3.ts';
import { stringToSign } from './shared/azure-shared-key.ts';
import { oAuth1Authorization } from './shared/oauth1.ts';

const field = (header: string, name: string) => new RegExp(`${name}="?([^",]+)`).exec(header)?.[1];

describe('AWS Signature Version 4', () => {
  const data = { region: 'us-east-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
  const ports = fakePorts({ nowMs: Date.UTC(2015, 7, 30, 12, 36) });

  test('signs the example in the documentation (IAM ListUsers)', async () => {
    const request = {
      method: 'GET',
      url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: '*/*', 'user-agent': 'x' },
    };
    expect((await signed(aws, request, data, ports)).headers).toMatchObject({
      'X-Amz-Date': '20150830T123600Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    });
  });

  test('signs the example of S3 (GET Bucket lifecycle)', async () => {
    const request = { method: 'GET', url: 'https://examplebucket.s3.amazonaws.com/?lifecycle' };
    const example = {
      ...data,
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    };
    const at = fakePorts({ nowMs: Date.UTC(2013, 4, 24) });
    expect((await signed(aws, request, example, at)).headers).toMatchObject({
      Authorization: expect.stringContaining('Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
    });
  });

  test.each([
    ['https://sqs.eu-west-1.amazonaws.com/1/q', 'eu-west-1/sqs'],
    ['https://b.s3.eu-west-1.amazonaws.com/k', 'eu-west-1/s3'],
    ['https://email.us-east-1.amazonaws.com/', 'us-east-1/ses'],
    ['https://bedrock-runtime.us-west-2.amazonaws.com/model/m/invoke', 'us-west-2/bedrock'],
    ['http://localhost:4566/', 'us-east-1/sqs'],
  ])('%s is signed for %s', async (url, scope) => {
    const custom = { ...data, customEndpoints: true, sqsEndpoint: 'http://localhost:4566/' };
    const { headers } = await signed(aws, { method: 'GET', url }, custom, ports);
    expect(headers?.['Authorization']).toContain(`/${scope}/aws4_request`);
  });

  test('sends a session token, and no signature to other hosts', async () => {
    const temporary = { ...data, temporaryCredentials: true, sessionToken: 'session' };
    const { headers } = await signed(aws, { method: 'GET', url: 'https://sts.amazonaws.com/' }, temporary, ports);
    expect(headers).toMatchObject({ 'X-Amz-Security-Token': 'session' });
    for (const url of ['https://amazonaws.com.evil.example/', 'https://evil-amazonaws.com/']) {
      await expect(signed(aws, { method: 'GET', url }, data, ports)).rejects.toMatchObject({ code: 'CREDENTIAL_UNUSABLE' });
    }
  });

  test('signs requests to S3-compatible services with the region and the body', async () => {
    const request = {
      method: 'PUT',
      url: 'https://s3.example:9000/b/k',
      body: 'text',
      headers: { 'content-type': 'text/plain' },
    };
    const { headers } = await signed(s3, request, { ...data, region: 'eu-x', endpoint: 'https://s3.example:9000' }, ports);
    expect(headers).toMatchObject({
      Authorization: expect.stringContaining('/20150830/eu-x/s3/aws4_request'),
      'X-Amz-Content-Sha256': '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
    });
  });
});

describe('OAuth 1.0a', () => {
  const signer = {
    method: 'HMAC-SHA1',
    consumerKey: 'xvz1evFS4wEEPTGEFPHBog',
    consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
    tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
    nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
    timestamp: 1_318_622_958,
  } as const;
  const update = {
    method: 'POST',
    url: 'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21',
  };

  test('signs the example in the Twitter documentation', () => {
    const header = oAuth1Authorization(update, signer);
    expect(decodeURIComponent(field(header, 'oauth_signature') ?? '')).toBe('hCtSmYh+iHYCEqBWrE7C7hYmtUk=');
  });

  test('signs the example in RFC 5849 §1.2', () => {
    const request = { method: 'GET', url: 'http://photos.example.net/photos?file=vacation.jpg&size=original' };
    const header = oAuth1Authorization(request, {
      ...signer,
      consumerKey: 'dpf43f3p2l4k3l03',
      consumerSecret: 'kd94hf93k423kf44',
      token: 'nnch734d00sl2jdk',
      tokenSecret: 'pfkkdhi9sl3r4s00',
      nonce: 'kllo9940pd9333jh',
      timestamp: 1_191_242_096,
    });
    // With oauth_version, as in OAuth Core 1.0 appendix A.
    expect(decodeURIComponent(field(header, 'oauth_signature') ?? '')).toBe('tR3+Ty81lMeYAr/Fid0kMTYa/WM=');
  });

  test.each([
    ['many fields', 'a&'.repeat(2_001)],
    ['very many fields', 'a&'.repeat(7_000_000)],
    ['a long field', 'é'.repeat(14_000_000)],
  ])('a form that is too large to be signed is refused at once: %s', async (_, body) => {
    const refused = () =>
      expect(() => oAuth1Authorization({ ...update, body }, signer)).toThrow(
        expect.objectContaining({ code: 'CREDENTIAL_UNUSABLE' }),
      );
    expect(await longestBusy(refused)).toBeLessThan(250);
  });

  test.each([['a&'.repeat(1_900)], ['é'.repeat(130_000)]])('a form within the limit is signed quickly', async (body) => {
    expect(await longestBusy(() => oAuth1Authorization({ ...update, body }, signer))).toBeLessThan(250);
  });

  test('each request has its own time and nonce; without a token, only the consumer signs', async () => {
    const { consumerKey, consumerSecret } = signer;
    const data = { consumerKey, consumerSecret, signatureMethod: 'HMAC-SHA256' };
    const { headers } = await signed(oAuth1Api, update, data, fakePorts({ bytes: Buffer.alloc(24, 0xab) }));
    const header = String(headers?.['authorization']);
    expect(field(header, 'oauth_nonce')).toBe('ab'.repeat(24));
    expect(field(header, 'oauth_timestamp')).toBe(String(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000));
    expect(header).not.toContain('oauth_token');
  });
});

describe('HTTP Digest', () => {
  const data = { user: 'Mufasa', password: 'Circle of Life' };
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const ports = fakePorts({ bytes: Buffer.from(cnonce, 'base64') });
  const request: HttpRequest = { method: 'GET', url: 'http://www.example.org/dir/index.html' };
  const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
  const challenge = (algorithm: string, more = 'qop="auth, auth-int"') =>
    `Digest realm="http-auth@example.org", ${more}, algorithm=${algorithm}, nonce="${nonce}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
  const answered = (header: string, challenged = request, as = data) => {
    const answer = httpDigestAuth.answerChallenge?.(
      challenged,
      jsonResponse('', 401, { 'www-authenticate': header }),
      as,
      ports,
    );
    return answer && String(answer.headers?.['authorization']);
  };

  test.each([
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ])('computes the example in RFC 7616 §3.9.1 with %s', (algorithm, response) => {
    expect(answered(challenge(algorithm))).toBe(
      `Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=${algorithm}, nonce="${nonce}", ` +
        `nc=00000001, cnonce="${cnonce}", qop=auth, response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );
  });

  test('computes the example in RFC 7616 §3.9.2: SHA-512-256, and a hashed non-ASCII user name', () => {
    const nonce = '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK';
    const cnonce = 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v';
    const plainRequest = { method: 'GET', url: 'http://api.example.org/doe.json' };
    const header = `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="${nonce}", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true`;
    const answer = httpDigestAuth.answerChallenge?.(
      plainRequest,
      jsonResponse('', 401, { 'www-authenticate': header }),
      { user: 'J\u00e4s\u00f8n Doe', password: 'Secret, or not?' },
      fakePorts({ bytes: Buffer.from(cnonce, 'base64') }),
    );
    // The RFC's values are wrong; these are from erratum 4897.
    expect(answer?.headers?.['authorization']).toContain(
      'username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"',
    );
    expect(answer?.headers?.['authorization']).toContain(
      'response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"',
    );
  });

  test('sends the short response to a server without qop (RFC 2069)', () => {
    const digest = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"';
    const header = answered(digest, request, { user: 'Mufasa', password: 'Circle Of Life' });
    expect(field(header ?? '', 'response')).toBe('670fd8c2df070c60b045671b8b24ff02');
    expect(header).not.toMatch(/qop|cnonce|algorithm/);
  });

  test('responds to the strongest of several challenges, among other schemes', () => {
    const header = `Basic realm="x, Digest", ${challenge('MD5')}, Bearer, ${challenge('SHA-256')}`;
    expect(answered(header)).toContain('algorithm=SHA-256');
  });

  test('covers the body if the server requires it', () => {
    const post = { ...request, method: 'POST', body: 'text' };
    const first = answered(challenge('MD5', 'qop="auth-int"'), post);
    const second = answered(challenge('MD5', 'qop="auth-int"'), { ...post, body: 'other' });
    expect(first).toContain('qop=auth-int');
    expect(field(first ?? '', 'response')).not.toBe(field(second ?? '', 'response'));
  });

  test.each(['', 'Basic realm="x"', 'Digest realm="x"', challenge('MAGIC'), challenge('MD5', 'qop="other"')])(
    'ignores the challenge %j',
    (header) => {
      expect(answered(header)).toBeUndefined();
    },
  );

  test('a user name cannot end the header', () => {
    const header = answered(challenge('MD5'), request, { user: 'a"\r\nX: y', password: 'p' });
    expect(header).not.toMatch(/[\r\n]/);
  });
});

describe('Azure Shared Key', () => {
  test('the string to sign equals the documentation’s', () => {
    const request = {
      method: 'GET',
      url: 'https://myaccount.blob.core.windows.net/mycontainer?restype=container&comp=metadata&timeout=20',
      headers: { 'x-ms-version': '2015-02-21', 'x-ms-date': 'Fri, 26 Jun 2015 23:39:12 GMT', accept: '*/*' },
    };
    expect(stringToSign(request, 'myaccount')).toBe(
      'GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n' +
        '/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20',
    );
  });

  test('joins and sorts repeated parameters, and includes the body length', () => {
    const request = {
      method: 'put',
      url: 'https://a.blob.core.windows.net/c/b%20c?include=snapshots&include=metadata&Comp=list',
      headers: { 'Content-Type': 'text/plain', 'X-Ms-Blob-Type': 'BlockBlob', Date: 'now' },
      body: 'grün',
    };
    expect(stringToSign(request, 'a')).toBe(
      'PUT\n\n\n5\n\ntext/plain\nnow\n\n\n\n\n\nx-ms-blob-type:BlockBlob\n/a/c/b%20c\ncomp:list\ninclude:metadata,snapshots',
    );
  });

  test('signs a long query in linear time', async () => {
    const query = Array.from({ length: 30_000 }, (_, index) => `k${index}=1`).join('&');
    const request = { method: 'GET', url: `https://a.blob.core.windows.net/?${query}` };
    expect(await longestBusy(() => stringToSign(request, 'a'))).toBeLessThan(250);
  });

  test('adds the date, the version, and the signature with the key', async () => {
    const key = Buffer.from('a key').toString('base64');
    const request = { method: 'GET', url: 'https://acc.blob.core.windows.net/?comp=list' };
    const sent = await signed(azureStorage, request, { account: 'acc', key }, fakePorts());
    expect(sent.headers).toMatchObject({
      'x-ms-date': 'Fri, 02 Jan 2026 03:04:05 GMT',
      'x-ms-version': expect.stringMatching(/^\d{4}-/),
    });
    const signature = createHmac('sha256', 'a key').update(stringToSign(sent, 'acc')).digest('base64');
    expect(sent.headers?.['authorization']).toBe(`SharedKey acc:${signature}`);
  });
});
