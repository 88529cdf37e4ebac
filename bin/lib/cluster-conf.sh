# Sourced by bin/millrace-cluster: settings of the processes, made from flink-conf/.
# shellcheck shell=bash

bucket=millrace

free_ports() { # COUNT
  python3 - "$1" << 'END'
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))
END
}

# The file of a machine's role, for this machine: loopback addresses, free ports, small sizes.
role() { # ROLE NAME [SED]...
  local from="$home/flink-conf/$1" to="$state/conf/$2"
  mkdir -p "$to"
  sed -e "s/JOBMANAGER/127.0.0.1/; s/0\.0\.0\.0/127.0.0.1/; s/port: 6123/port: $rpc_port/; s/port: 8081/port: $web_port/" \
    -e "s#/opt/millrace#$home#; s/gpu-b300/gpu-${gpu,,}/; s/args: B300/args: $gpu/" \
    -e "s/resource-id: .*/resource-id: $2/" -e 's/^taskmanager:/taskmanager:\n  host: 127.0.0.1/' \
    "${@:3}" "$from/config.yaml" > "$to/config.yaml"
  cat >> "$to/config.yaml" << END

io:
  tmp:
    dirs: $state/tmp

s3:
  endpoint: http://127.0.0.1:$s3_port
  path:
    style:
      access: true
  # Markers of folders are of no use here, and deleting them costs a request for every file.
  directory:
    marker:
      retention: keep
  access-key: millrace
  secret-key: $s3_secret
END
  cp "$home/flink-conf/log4j.properties" "$to/log4j.properties"
  cp "$home/flink-conf/log4j.properties" "$to/log4j-cli.properties"
}

configure() {
  local ports
  rm -rf "$state"
  mkdir -p "$state"/{conf,log,pid,tmp,kafka,scratch,simulated,flink/plugins/s3-fs-hadoop} "$state/s3/$bucket"
  chmod 700 "$state"
  read -r -a ports <<< "$(free_ports 4)"
  rpc_port=${ports[0]} kafka_port=${ports[1]} s3_port=${ports[2]} web_port=${ports[3]}
  # The port that people know, when nobody has it.
  listens 8081 || web_port=8081
  web_ui="http://127.0.0.1:$web_port"
  s3_secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  runs="s3a://$bucket"
  role jobmanager jobmanager -e 's/size: 1600m/size: 900m/'
  role taskmanager rollout-1 -e 's/size: 2g/size: 700m/; s/size: 1g/size: 400m/; s/128m/64m/; s/cores: 4/cores: 3/; s/amount: 4/amount: 3/; s/numberOfTaskSlots: 4/numberOfTaskSlots: 3/'
  role taskmanager rollout-2 -e 's/size: 2g/size: 700m/; s/size: 1g/size: 400m/; s/128m/64m/; s/cores: 4/cores: 3/; s/amount: 4/amount: 3/; s/numberOfTaskSlots: 4/numberOfTaskSlots: 3/'
  role taskmanager-gpu gpu-1 -e 's/size: 1g/size: 400m/'
  printf '#!/bin/sh\nprintf "0, NVIDIA %s\\n"\n' "$gpu" > "$state/simulated/nvidia-smi"
  chmod +x "$state/simulated/nvidia-smi"
  cat > "$state/conf/s3proxy.properties" << END
s3proxy.endpoint=http://127.0.0.1:$s3_port
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=millrace
s3proxy.credential=$s3_secret
jclouds.provider=filesystem
jclouds.identity=unused
jclouds.credential=unused
jclouds.filesystem.basedir=$state/s3
END
  assemble
  # Read by the other commands.
  local name
  for name in web_ui kafka_port s3_port runs jar gpu; do printf '%s=%q\n' "$name" "${!name}"; done > "$state/settings"
}

# The distribution as it is, with the embedded policy's library in lib/ and the S3 plugin in plugins/.
assemble() {
  mkdir -p "$state/flink/lib"
  ln -s "$flink_home"/lib/*.jar "$home"/jobs/target/lib-embedded/*.jar "$state/flink/lib/"
  ln -s "$flink_home"/plugins/*/ "$state/flink/plugins/"
  ln -s "$s3_plugin" "$state/flink/plugins/s3-fs-hadoop/"
}
