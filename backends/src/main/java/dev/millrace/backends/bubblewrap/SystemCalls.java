package dev.millrace.backends.bubblewrap;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Numbers of system calls that a sandbox has no business with, by architecture. From the kernel's
 * tables ({@code asm/unistd_64.h}, {@code asm-generic/unistd.h}).
 *
 * @param architecture how the kernel names it to a filter
 * @param foreignFrom calls from this number on are those of another calling convention; -1 for none
 * @param refused those that fail whatever their arguments are
 * @param ownership change who owns a file, or who a process is
 * @param ptrace looks into other processes
 * @param cloning clone, makes processes, threads and namespaces
 * @param clone3 the same, with its flags where a filter can't see them
 * @param personality execution domain
 * @param ioctl device control
 * @param socket makes sockets
 */
record SystemCalls(
        int architecture,
        int foreignFrom,
        List<Integer> refused,
        List<Integer> ownership,
        int ptrace,
        int cloning,
        int clone3,
        int personality,
        int ioctl,
        int socket) {

    /** Mounts by file descriptor, io_uring and newer ones have one number everywhere. */
    private static final List<Integer> EVERYWHERE =
            List.of(
                    425,
                    426,
                    427, // io_uring_setup, io_uring_enter, io_uring_register
                    428,
                    429, // open_tree, move_mount
                    430,
                    431,
                    432,
                    433, // fsopen, fsconfig, fsmount, fspick
                    438, // pidfd_getfd
                    442,
                    443, // mount_setattr, quotactl_fd
                    467 // open_tree_attr
                    );

    private static final List<Integer> X86_64_ONLY =
            List.of(
                    154,
                    172,
                    173, // modify_ldt, iopl, ioperm
                    155,
                    165,
                    166, // pivot_root, mount, umount2
                    272,
                    308, // unshare, setns
                    310,
                    311,
                    312, // process_vm_readv, process_vm_writev, kcmp
                    246,
                    320,
                    169, // kexec_load, kexec_file_load, reboot
                    175,
                    313,
                    176, // init_module, finit_module, delete_module
                    321,
                    298,
                    323, // bpf, perf_event_open, userfaultfd
                    248,
                    249,
                    250, // add_key, request_key, keyctl
                    167,
                    168,
                    163,
                    179, // swapon, swapoff, acct, quotactl
                    103,
                    180,
                    212, // syslog, nfsservctl, lookup_dcookie
                    279,
                    300,
                    304 // move_pages, fanotify_init, open_by_handle_at
                    );

    private static final List<Integer> AARCH64_ONLY =
            List.of(
                    41,
                    40,
                    39, // pivot_root, mount, umount2
                    97,
                    268, // unshare, setns
                    270,
                    271,
                    272, // process_vm_readv, process_vm_writev, kcmp
                    104,
                    294,
                    142, // kexec_load, kexec_file_load, reboot
                    105,
                    273,
                    106, // init_module, finit_module, delete_module
                    280,
                    241,
                    282, // bpf, perf_event_open, userfaultfd
                    217,
                    218,
                    219, // add_key, request_key, keyctl
                    224,
                    225,
                    89,
                    60, // swapon, swapoff, acct, quotactl
                    116,
                    42,
                    18, // syslog, nfsservctl, lookup_dcookie
                    239,
                    262,
                    265 // move_pages, fanotify_init, open_by_handle_at
                    );

    private static final List<Integer> X86_64_OWNERSHIP =
            List.of(
                    92,
                    93,
                    94,
                    260, // chown, fchown, lchown, fchownat
                    105,
                    106,
                    113,
                    114, // setuid, setgid, setreuid, setregid
                    117,
                    119,
                    122,
                    123, // setresuid, setresgid, setfsuid, setfsgid
                    116,
                    126 // setgroups, capset
                    );

    private static final List<Integer> AARCH64_OWNERSHIP =
            List.of(
                    54,
                    55, // fchownat, fchown
                    146,
                    144,
                    145,
                    143, // setuid, setgid, setreuid, setregid
                    147,
                    149,
                    151,
                    152, // setresuid, setresgid, setfsuid, setfsgid
                    159,
                    91 // setgroups, capset
                    );

    static final SystemCalls X86_64 =
            new SystemCalls(
                    0xC000003E,
                    0x40000000,
                    both(X86_64_ONLY),
                    X86_64_OWNERSHIP,
                    101,
                    56,
                    435,
                    135,
                    16,
                    41);

    static final SystemCalls AARCH64 =
            new SystemCalls(
                    0xC00000B7,
                    -1,
                    both(AARCH64_ONLY),
                    AARCH64_OWNERSHIP,
                    117,
                    220,
                    435,
                    92,
                    29,
                    198);

    /** Those of an architecture by Java's name for it; empty for one that is not known here. */
    static Optional<SystemCalls> of(String architecture) {
        return switch (architecture) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    private static List<Integer> both(List<Integer> own) {
        return Stream.concat(own.stream(), EVERYWHERE.stream()).toList();
    }
}
