// The dialect of MariaDB.
import { describe } from './describe.ts';
import { asMysql } from './mysql.ts';

export const mariadb = describe({ ...asMysql, name: 'mariadb' });
