# Sourced by bin/millrace-cluster: what a cluster is made of, downloaded once and checked.
# shellcheck shell=bash

FLINK_VERSION=2.3.0
FLINK_SHA256=38ece876553286b3a285cf344c2d2038f8a7ca10da5df54d5107250386d64151
S3PROXY_VERSION=2.6.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/millrace
flink_wheel="$cache/apache_flink_libraries-$FLINK_VERSION-py2.py3-none-any.whl"
flink_home="$cache/flink-$FLINK_VERSION"
s3_plugin="$cache/flink-s3-fs-hadoop-$FLINK_VERSION.jar"
s3proxy="$cache/s3proxy-$S3PROXY_VERSION-jar-with-dependencies.jar"

# Flink's own build for Python users is the official distribution without its shell scripts.
fetch_flink() {
  [ ! -d "$flink_home" ] || return 0
  python3 -m pip --version > /dev/null 2>&1 || refuse "pip is missing; install python3-pip"
  say "downloading Flink $FLINK_VERSION (330 MB, once; kept in $cache)"
  printf 'apache-flink-libraries==%s --hash=sha256:%s\n' "$FLINK_VERSION" "$FLINK_SHA256" > "$cache/flink.txt"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --require-hashes --dest "$cache" --requirement "$cache/flink.txt" \
    || fail "pip could not download apache-flink-libraries $FLINK_VERSION"
  rm -rf "$flink_home.part"
  python3 -m zipfile -e "$flink_wheel" "$flink_home.part"
  mv "$flink_home.part/pyflink" "$flink_home"
  rm -rf "$flink_home.part" "$flink_wheel" "$cache/flink.txt"
}

# Maven checks what it downloads against the checksums of its repository.
fetch_maven() { # ARTIFACT FILE
  [ ! -f "$2" ] || return 0
  find_maven
  say "downloading $(basename "$2")"
  (cd "$home" && mvn -q -B -N dependency:copy -Dartifact="$1" -DoutputDirectory="$cache" < /dev/null > "$cache/maven.log" 2>&1) \
    || fail "Maven could not download $1; see $cache/maven.log"
}

fetch_all() {
  mkdir -p "$cache"
  fetch_flink
  fetch_maven "org.apache.flink:flink-s3-fs-hadoop:$FLINK_VERSION" "$s3_plugin"
  fetch_maven "org.gaul:s3proxy:$S3PROXY_VERSION:jar:jar-with-dependencies" "$s3proxy"
}

# The job's jar, the embedded policy's library and the class path of the broker.
build_jar() {
  local target="$home/jobs/target" log
  jar=$(find "$target" -maxdepth 1 -name 'millrace-*.jar' -print -quit 2> /dev/null || true)
  if [ -n "$jar" ] && [ -s "$target/millrace.classpath" ] \
    && [ -z "$(find "$home/pom.xml" "$home"/*/pom.xml "$home"/*/src/main -newer "$jar" -print -quit)" ]; then
    return 0
  fi
  find_maven
  log="$cache/build.log"
  say "building the job's jar"
  (cd "$home" && mvn -q -B -Pdist -pl jobs -am -DskipTests package dependency:build-classpath \
    -DincludeScope=runtime -Dmdep.outputFile=target/millrace.classpath < /dev/null > "$log" 2>&1) \
    || { tail -n 20 "$log" >&2; fail "the build failed; all of it is in $log"; }
  jar=$(find "$target" -maxdepth 1 -name 'millrace-*.jar' -print -quit)
}

find_maven() {
  command -v mvn > /dev/null || refuse "no Maven found; install Maven 3.8 or later"
}
