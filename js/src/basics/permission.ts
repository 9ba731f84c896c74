const flags: { readonly [permission: string]: string } = {
  FileSystemRead: '--allow-fs-read',
  WorkerThreads: '--allow-worker',
};

/** The advice to allow what Node's permission model has refused with this error; undefined for other errors. */
export function permissionAdvice(cause: unknown): string | undefined {
  const { code, permission, resource } = (cause ?? {}) as { code?: unknown; permission?: string; resource?: string };
  if (code !== 'ERR_ACCESS_DENIED') return undefined;
  const flag = flags[permission ?? ''];
  return flag && `start Node with ${flag}${resource ? `=${resource}` : ''}`;
}
