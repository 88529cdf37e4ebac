# Sourced by bin/millrace-cluster: starts and ends the processes of a cluster.
# shellcheck shell=bash

# Every process carries this, so that no process of anyone else's is ever ended.
mark="-Dmillrace.cluster=$state"

alive() { # NAME
  local pid
  pid=$(cat "$state/pid/$1" 2> /dev/null) || return 1
  { tr '\0' '\n' < "/proc/$pid/cmdline" | grep -xF -- "$mark"; } > /dev/null 2>&1
}

launch() { # NAME COMMAND...
  local name=$1
  shift
  local pid waited
  setsid nohup "$@" > "$state/log/$name.out" 2>&1 < /dev/null &
  pid=$!
  echo "$pid" > "$state/pid/$name"
  # Until it is the program that was asked for, and not the shell that becomes it.
  for waited in {1..600}; do
    ! alive "$name" && kill -0 "$pid" 2> /dev/null || return 0
    sleep 0.1
  done
}

java_options() { # NAME
  local opens
  opens=$(sed -n 's:.*<jvm.opens>\(.*\)</jvm.opens>.*:\1:p' "$home/pom.xml")
  # Processes of one machine share its cores: the optimising compiler would only take them away.
  echo "$mark -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.io.tmpdir=$state/tmp -Djava.awt.headless=true" \
    "-Djdk.lang.Process.launchMechanism=VFORK -Dpekko.remote.classic.startup-timeout=120s -Dai.djl.offline=true -DOPT_OUT_TRACKING=true" \
    "-Dlog.file=$state/log/$1.log $opens"
}

flink_java() { # NAME CONF OPTIONS...
  local name=$1 conf=$2
  shift 2
  # shellcheck disable=SC2046
  flink_command=("$java" "$@" $(java_options "$name")
    -Dlog4j2.configurationFile="file:$conf/log4j.properties" -cp "$state/flink/lib/*")
}

start_broker() {
  # shellcheck disable=SC2046
  launch broker "$java" -Xmx384m $(java_options broker) \
    -Dlog4j2.configurationFile=classpath:log4j2.properties -Dmillrace.log="$state/log/broker.log" \
    -cp "$home/jobs/target/classes:$(cat "$home/jobs/target/millrace.classpath")" \
    dev.millrace.jobs.cluster.BrokerMain "$state/kafka" "$kafka_port"
}

start_s3() {
  # shellcheck disable=SC2046
  launch s3 "$java" -Xmx256m $(java_options s3) -jar "$s3proxy" --properties "$state/conf/s3proxy.properties"
}

start_jobmanager() {
  flink_java jobmanager "$state/conf/jobmanager" -Xmx500m -XX:MaxMetaspaceSize=256m
  launch jobmanager "${flink_command[@]}" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint \
    --configDir "$state/conf/jobmanager" --executionMode cluster
}

start_taskmanager() { # NAME
  local conf="$state/conf/$1" resources
  # The distribution's own arithmetic: JVM options in the first line, settings in the second.
  resources=$("$java" -XX:TieredStopAtLevel=1 -cp "$flink_home/bin/bash-java-utils.jar:$flink_home/lib/*" \
    org.apache.flink.runtime.util.bash.BashJavaUtils GET_TM_RESOURCE_PARAMS --configDir "$conf" 2> "$state/log/$1.out" \
    | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')
  [ -n "$resources" ] || fail "$1: Flink refuses its memory settings; see $state/log/$1.out"
  # shellcheck disable=SC2046
  flink_java "$1" "$conf" $(sed -n 1p <<< "$resources")
  # shellcheck disable=SC2046
  PATH="$state/simulated:$PATH" launch "$1" "${flink_command[@]}" \
    org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$conf" $(sed -n 2p <<< "$resources")
}

start() { # NAME
  case "$1" in
    broker | s3 | jobmanager) "start_$1" ;;
    *) [ -d "$state/conf/$1" ] || refuse "no process $1; there are: $(members)"
      start_taskmanager "$1" ;;
  esac
}

# At once: each task manager's memory is worked out by a JVM before its own starts.
start_all() {
  local name pids=()
  for name in $(members); do
    start "$name" &
    pids+=("$!")
  done
  for name in "${pids[@]}"; do wait "$name" || exit 1; done
}

members() {
  echo broker s3 jobmanager "${task_managers[@]}"
}

# Asks a process to end, and does not ask twice.
stop() { # NAME [SIGNAL]
  local pid waited=0
  alive "$1" || { rm -f "$state/pid/$1"; return 0; }
  pid=$(cat "$state/pid/$1")
  kill "-${2:-TERM}" "$pid"
  while alive "$1"; do
    sleep 0.2
    waited=$((waited + 1))
    [ "$waited" -ne 75 ] || kill -KILL "$pid" 2> /dev/null || true
  done
  rm -f "$state/pid/$1"
}

rest() { # PATH
  python3 - "$web_ui$1" <<< "import sys, urllib.request
print(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1], timeout=20).read().decode())" 2> /dev/null
}

# Waits until a command succeeds; says what the process printed when it ends before that.
await() { # NAME SECONDS COMMAND...
  local name=$1 end=$(($(date +%s) + $2))
  shift 2
  until "$@"; do
    # Asked twice: a process that is just becoming another program has no name for a moment.
    alive "$name" || { sleep 1; alive "$name"; } || { tail -n 15 "$state/log/$name.out" >&2 || true
      grep -h -A 1 -m 6 'ERROR\|Caused by' "$state/log/$name.log" >&2 2> /dev/null || true
      fail "$name has ended; its logs are in $state/log"; }
    [ "$(date +%s)" -lt "$end" ] || fail "$name does not answer; its logs are in $state/log"
    sleep 0.5
  done
}

listens() { # PORT
  (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

registered() { # NAME
  rest /taskmanagers | grep "\"id\":\"$1\"" > /dev/null
}
