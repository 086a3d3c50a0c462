// The service types of this server: a type is a folder here and a line below. What types of databases share is in
// engines/; the service `system` is in resources/system.ts, and app.ts puts it in front of these.
import type { Identity } from '../identity/index.ts';
import type { ServiceType } from '../service/service.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { adldap } from './adldap/index.ts';
import { apns } from './apns/index.ts';
import { redshift } from './aws_redshift_db/index.ts';
import { awsS3 } from './aws_s3/index.ts';
import { awsSes } from './aws_ses/index.ts';
import { awsSns } from './aws_sns/index.ts';
import { azureBlob } from './azure_blob/index.ts';
import { bitbucket } from './bitbucket/index.ts';
import { cacheLocal } from './cache_local/index.ts';
import { cacheMemcached } from './cache_memcached/index.ts';
import { cacheRedis } from './cache_redis/index.ts';
import { createProviderFetch } from './engines/oauth-network.ts';
import type { OauthParts } from './engines/oauth-type.ts';
import { ftpFile } from './ftp_file/index.ts';
import { gcm } from './gcm/index.ts';
import { github } from './github/index.ts';
import { gitlab } from './gitlab/index.ts';
import { ldap } from './ldap/index.ts';
import { localEmail } from './local_email/index.ts';
import { localFile } from './local_file/index.ts';
import { logstash } from './logstash/index.ts';
import { mailgunEmail } from './mailgun_email/index.ts';
import { mandrillEmail } from './mandrill_email/index.ts';
import { memsql } from './memsql/index.ts';
import { mqtt } from './mqtt/index.ts';
import { mysql } from './mysql/index.ts';
import { nodejs } from './nodejs/index.ts';
import { azureAd } from './oauth_azure_ad/index.ts';
import { bitbucketOauth } from './oauth_bitbucket/index.ts';
import { facebook } from './oauth_facebook/index.ts';
import { githubOauth } from './oauth_github/index.ts';
import { google } from './oauth_google/index.ts';
import { linkedin } from './oauth_linkedin/index.ts';
import { microsoftLive } from './oauth_microsoft-live/index.ts';
import { salesforce } from './oauth_salesforce/index.ts';
import { twitter } from './oauth_twitter/index.ts';
import { oidc } from './oidc/index.ts';
import { openstackObjectStorage } from './openstack_object_storage/index.ts';
import { pgsql } from './pgsql/index.ts';
import { php } from './php/index.ts';
import { python } from './python/index.ts';
import { rackspaceCloudFiles } from './rackspace_cloud_files/index.ts';
import { remoteService } from './rws/index.ts';
import { saml } from './saml/index.ts';
import { sftpFile } from './sftp_file/index.ts';
import { smtpEmail } from './smtp_email/index.ts';
import { soap } from './soap/index.ts';
import { sparkpostEmail } from './sparkpost_email/index.ts';
import { sqlite } from './sqlite/index.ts';
import { swagger } from './swagger/index.ts';
import { userService } from './user/index.ts';
import { v8js } from './v8js/index.ts';
import { webdavFile } from './webdav_file/index.ts';

/** The parts of the instance that types need which stand for one of them. */
export interface ServiceTypeParts {
  identity: Identity;
  settings: Settings;
  store: Store;
}

/** Types that people sign in by. */
const signInTypes = (parts: OauthParts): ServiceType[] => [
  oidc(parts),
  google(parts),
  githubOauth(parts),
  facebook(parts),
  linkedin(parts),
  microsoftLive(parts),
  twitter(parts),
  bitbucketOauth(parts),
  salesforce(parts),
  azureAd(parts),
];

export const serviceTypes = ({ identity, settings, store }: ServiceTypeParts): ServiceType[] => [
  userService(identity, settings, store),
  swagger,
  sqlite,
  mysql,
  pgsql,
  redshift,
  memsql,
  localFile(settings.uploadLimit),
  localEmail(settings.sendmail),
  smtpEmail,
  ftpFile(settings.uploadLimit),
  sftpFile(settings.uploadLimit),
  webdavFile(settings.uploadLimit),
  awsSes,
  mailgunEmail,
  mandrillEmail,
  sparkpostEmail,
  awsS3(settings.uploadLimit),
  azureBlob(settings.uploadLimit),
  rackspaceCloudFiles(settings.uploadLimit),
  openstackObjectStorage(settings.uploadLimit),
  nodejs(settings),
  php(settings),
  python(settings),
  v8js(settings),
  github,
  gitlab,
  bitbucket,
  remoteService(settings),
  soap(settings),
  logstash(settings, store),
  cacheLocal(store),
  cacheRedis(store),
  cacheMemcached(store),
  ldap,
  adldap,
  mqtt,
  awsSns,
  apns(store),
  gcm(store, settings),
  ...signInTypes({ external: identity.external, fetch: createProviderFetch(settings) }),
  saml({ external: identity.external, settings }),
];
