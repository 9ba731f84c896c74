// Runs `npm run demo` and `npm test` as a stranger would, on a new machine with a newer distribution: in a chroot of Debian sid (or
// the suite that is named), which debootstrap makes in a temporary folder. It has git, Node and npm, and what is committed here.
// Needs root. Where debootstrap cannot be had, it says so and does nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, run } from './run.mjs';

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
const home = '/root/broadloom';
const inside = (path) => join(folder, path);
const mounts = { proc: ['-t', 'proc', 'proc'], sys: ['--rbind', '/sys'], dev: ['--rbind', '/dev'] };

function removeAll() {
  for (const place of Object.keys(mounts))
    spawnSync('umount', ['--recursive', '--lazy', inside(place)], { stdio: 'ignore' });
  // Never what is still mounted.
  spawnSync('rm', ['-rf', '--one-file-system', folder], { stdio: 'ignore' });
}
process.on('exit', removeAll);
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

run(program, ['--variant=minbase', '--include=ca-certificates,git,nodejs,npm', suite, folder, mirror], { quiet: true });
for (const [place, how] of Object.entries(mounts)) run('mount', [...how, inside(place)]);
// How this machine reaches the network.
const network = ['/etc/resolv.conf', '/etc/hosts', '/etc/npmrc', join(homedir(), '.npmrc')];
for (const path of [...network, '/etc/apt/apt.conf.d', '/etc/ssl/certs', '/usr/local/share/ca-certificates']) {
  if (!existsSync(path)) continue;
  mkdirSync(dirname(inside(path)), { recursive: true });
  cpSync(path, inside(path), { recursive: true, dereference: true });
}
run('git', ['clone', '--quiet', '--no-hardlinks', root, inside(home)]);
for (const command of ['npm run demo', 'npm test'])
  run('chroot', [folder, 'bash', '-c', `cd ${home} && ${command}`], { env: { HOME: '/root' } });
console.log(`distribution: both commands passed in ${suite}`);
