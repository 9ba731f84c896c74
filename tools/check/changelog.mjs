// The form of CHANGELOG.md (Keep a Changelog), and what a release changes in it.
import { parser, Release } from 'keep-a-changelog';
import semver from 'semver';

/** What CHANGELOG.md holds; throws when it is not in its form. */
export function readChangelog(text) {
  const changelog = parser(text);
  changelog.format = 'markdownlint'; // blank lines around headings, as the formatter wants them
  return changelog;
}

/**
 * The text of CHANGELOG.md after a release: what is unreleased becomes `version` of `date` (year-month-day), and a new
 * heading for what comes next stands above it. Throws when there is nothing to release, or the version is none or not above
 * the last one.
 */
export function releasedChangelog(text, version, date) {
  if (semver.valid(version) !== version) throw new Error(`${version} is not a semantic version`);
  const changelog = readChangelog(text);
  const unreleased = changelog.releases.find((release) => release.version === undefined);
  if (unreleased === undefined || unreleased.isEmpty()) throw new Error('CHANGELOG.md has nothing under Unreleased');
  const last = changelog.releases.find((release) => release.version !== undefined)?.version;
  if (last !== undefined && !semver.gt(version, last.toString()))
    throw new Error(`${version} is not above ${last}, the last release`);
  unreleased.setVersion(version);
  unreleased.setDate(date);
  changelog.addRelease(new Release());
  return changelog.toString();
}
