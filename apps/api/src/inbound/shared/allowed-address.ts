import { BlockList, isIP } from 'node:net';

/** Whether a caller's address is one of the addresses, or in one of the networks. No list: every address is. */
export function isAllowedAddress(address: string, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [ip = '', bits] = entry.split('/');
    const family = familyOf(ip);
    if (bits === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(bits), family);
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIP(ip) === 6 ? 'ipv6' : 'ipv4';
}
