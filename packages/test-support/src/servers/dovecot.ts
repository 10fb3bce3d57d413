import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

export interface Dovecot extends TestServer {
  /**
   * Delivers a message to a mailbox, which is created if needed. The Maildir flag `S` marks it as
   * read.
   */
  deliver(mailbox: string, source: string, flags?: string): Promise<void>;
  /** Maildir flags of the messages in a mailbox, in order of delivery. */
  flagsIn(mailbox: string): Promise<string[]>;
}

/** Dovecot with the mailbox of `ann`, without TLS. */
export async function startDovecot(password: string): Promise<Dovecot> {
  const programs = ['usr/sbin/dovecot', 'usr/lib/dovecot/imap'];
  const { root } = await serverFiles('dovecot', ['dovecot-imapd'], programs);
  let mail = '';
  let count = 0;
  const server = await runServer('dovecot', async ({ home, port }) => {
    mail = join(home, 'mail');
    for (const name of ['run', 'mail']) await mkdir(join(home, name));
    await writeFile(join(home, 'users'), `ann:{PLAIN}${password}\n`);
    await writeFile(join(home, 'configuration'), configuration(port, home));
    return { file: '/usr/sbin/dovecot', args: ['-F', '-c', join(home, 'configuration')], env: {}, namespace: { root } };
  });
  return {
    ...server,
    async deliver(mailbox, source, flags = '') {
      const at = (...names: string[]) => join(mail, `.${mailbox}`, ...names);
      for (const name of ['tmp', 'new', 'cur']) await mkdir(at(name), { recursive: true });
      count += 1;
      const name = `${1_700_000_000 + count}.${count}.test`;
      await writeFile(at('tmp', name), source);
      await rename(at('tmp', name), flags === '' ? at('new', name) : at('cur', `${name}:2,${flags}`));
    },
    async flagsIn(mailbox) {
      const names = await Promise.all(['new', 'cur'].map((folder) => readdir(join(mail, `.${mailbox}`, folder))));
      return names
        .flat()
        .sort()
        .map((name) => name.split(':2,')[1] ?? '');
    },
  };
}

function configuration(port: number, home: string): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${home}/run
state_dir = ${home}/run
log_path = /dev/stderr
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
first_valid_uid = 1
mail_location = maildir:${home}/mail
disable_plaintext_auth = no
ssl = no
passdb {
  driver = passwd-file
  args = ${home}/users
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=${home}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}
