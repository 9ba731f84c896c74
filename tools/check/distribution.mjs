// Runs `npm run demo` and `npm test` as a stranger would, on a new machine with a newer distribution: in a chroot of Debian sid (or
// the suite that is named), which debootstrap makes in a temporary folder. It gets git, Node and npm, and what is committed here.
// Needs root. Where debootstrap cannot be had, it says so and does nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

const suite = process.argv[2] ?? 'sid';
const program = '/usr/sbin/debootstrap';

function skip(reason) {
  console.log(`distribution: not run: ${reason}`);
  process.exit(0);
}

if (process.getuid?.() !== 0) skip('only root makes a chroot');
if (!existsSync(program)) spawnSync('apt-get', ['install', '-y', 'debootstrap'], { stdio: 'ignore' });
if (!existsSync(program)) skip('debootstrap cannot be installed');

/** The mirror that this machine uses. */
const [mirror] = run('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { quiet: true }).split('\n');
const folder = mkdtempSync(join(tmpdir(), `broadloom-${suite}-`));
const home = '/broadloom';
const inside = (path) => join(folder, path);

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

run(program, ['--variant=minbase', '--include=ca-certificates', suite, folder, mirror], { quiet: true });
// How this machine reaches the network.
for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/npmrc', join(homedir(), '.npmrc')])
  if (existsSync(path)) cpSync(path, inside(path), { dereference: true });
for (const path of ['/etc/apt/apt.conf.d', '/usr/local/share/ca-certificates'])
  if (existsSync(path)) cpSync(path, inside(path), { recursive: true, dereference: true });

/** Runs commands in the chroot. Its mounts are in a namespace of their own: with the commands, they are gone. */
function runInside(commands) {
  const mounts = ['-t proc proc "$0/proc"', '--rbind /sys "$0/sys"', '--rbind /dev "$0/dev"'];
  const script = [...mounts.map((one) => `mount ${one}`), 'exec chroot "$0" bash -ec "$1"'].join(' && ');
  const env = { HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' };
  run('unshare', ['--mount', '--propagation', 'private', 'bash', '-c', script, folder, commands], { env });
}
runInside('update-ca-certificates && apt-get update && apt-get install -y --no-install-recommends git nodejs npm');
run('git', ['clone', '--quiet', '--no-hardlinks', root, inside(home)]);
for (const command of ['npm run demo', 'npm test']) runInside(`cd ${home} && ${command}`);
console.log(`distribution: both commands passed in ${suite}`);
