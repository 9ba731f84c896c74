const flags: { readonly [permission: string]: string } = {
  FileSystemRead: '--allow-fs-read',
  WorkerThreads: '--allow-worker',
};

/** The flag of Node's permission model that allows what it has refused with this error; undefined for other errors. */
export function flagAgainst(cause: unknown): string | undefined {
  const { code, permission, resource } = (cause ?? {}) as { code?: unknown; permission?: string; resource?: string };
  if (code !== 'ERR_ACCESS_DENIED') return undefined;
  const flag = flags[permission ?? ''];
  return flag && (resource ? `${flag}=${resource}` : flag);
}
